package io.idempotent.engine.policy;

import java.util.Collection;
import java.util.Set;

/**
 * Which fields of a request are compared, by their names: form fields, query parameters,
 * parts, and the members of a JSON object.
 *
 * @param compared the fields that count, or none if all do
 * @param ignored the fields that do not count
 */
public record ComparedFields(Set<String> compared, Set<String> ignored) {

	/** Every field counts. */
	public static final ComparedFields ALL = new ComparedFields(Set.of(), Set.of());

	/**
	 * Checks that the two lists do not contradict each other.
	 * @throws IllegalArgumentException if both name fields
	 */
	public ComparedFields {
		compared = Set.copyOf(compared);
		ignored = Set.copyOf(ignored);
		if (!compared.isEmpty() && !ignored.isEmpty()) {
			throw new IllegalArgumentException("its compared fields are " + compared + " and its ignored fields "
					+ ignored + ": name those that count or those that do not, and leave the other list empty");
		}
	}

	/**
	 * The fields that an operation compares.
	 * @param compared the fields that count, or none if all do
	 * @param ignored the fields that do not count
	 * @throws IllegalArgumentException if both name fields
	 */
	public static ComparedFields of(Collection<String> compared, Collection<String> ignored) {
		return new ComparedFields(Set.copyOf(compared), Set.copyOf(ignored));
	}

	/**
	 * Whether a field counts.
	 * @param name its name
	 * @return whether requests that differ only in this field are different
	 */
	public boolean counts(String name) {
		return !this.ignored.contains(name) && (this.compared.isEmpty() || this.compared.contains(name));
	}

}

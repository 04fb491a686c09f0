package io.idempotent.submission.policy;

import java.util.Collection;
import java.util.Set;

/**
 * The names of fields that are compared: form fields, query parameters, parts, members of
 * a JSON object. If {@code compared} is empty, all count but the ignored ones.
 */
public record ComparedFields(Set<String> compared, Set<String> ignored) {

	public static final ComparedFields ALL = new ComparedFields(Set.of(), Set.of());

	/** Throws if both lists name fields. */
	public ComparedFields {
		compared = Set.copyOf(compared);
		ignored = Set.copyOf(ignored);
		if (!compared.isEmpty() && !ignored.isEmpty()) {
			throw new IllegalArgumentException("its compared fields are " + compared + " and its ignored fields "
					+ ignored + ": name those that count or those that do not, and leave the other list empty");
		}
	}

	public static ComparedFields of(Collection<String> compared, Collection<String> ignored) {
		return new ComparedFields(Set.copyOf(compared), Set.copyOf(ignored));
	}

	/** Whether requests that differ only in this field are different. */
	public boolean counts(String name) {
		return !this.ignored.contains(name) && (this.compared.isEmpty() || this.compared.contains(name));
	}

}

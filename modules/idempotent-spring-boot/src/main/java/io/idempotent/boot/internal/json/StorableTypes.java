package io.idempotent.boot.internal.json;

import java.io.Serializable;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;

import io.idempotent.support.AsyncReturnTypes;
import org.jspecify.annotations.Nullable;

/**
 * Checks at start-up whether values of a type can be stored as JSON and restored. Types
 * with a deserializer of the application are trusted. Each generation of Jackson answers
 * what it can write and read.
 *
 * @param <T> how it represents a type
 */
public abstract class StorableTypes<T> {

	/** They can be read only once, or hold external resources. */
	private static final List<Class<?>> BOUND = List.of(AutoCloseable.class, Iterator.class, Spliterator.class);

	protected static final String NOTHING_TO_WRITE = "Jackson finds nothing in it to write";

	protected static final String ABSTRACT = "it is abstract, and JSON does not contain its class";

	protected static final String UNREADABLE = "Jackson cannot read it";

	protected static final String NO_CONSTRUCTOR = "it has no constructor that Jackson could use";

	private final Set<T> seen = new HashSet<>();

	/** From the class of the result, if it is a property. */
	private String path = "";

	protected final void requireProperty(Class<?> owner, String property, T type) {
		String before = this.path;
		this.path = (before.isEmpty() ? owner.getSimpleName() : before) + "." + property;
		require(type);
		this.path = before;
	}

	/** Throws, naming the type, the path to it and the reason. */
	public final void require(T type) {
		if (!this.seen.add(type)) {
			return;
		}
		Class<?> raw = raw(type);
		if (raw == Object.class) {
			throw unstorable(type, "JSON does not contain its class, and it would be restored as a map or a text");
		}
		if (raw == Serializable.class || raw == Number.class) {
			throw unstorable(type, ABSTRACT);
		}
		if (AsyncReturnTypes.isAsync(raw) || BOUND.stream().anyMatch((bound) -> bound.isAssignableFrom(raw))) {
			throw unstorable(type, "it can be used once only, or its content is produced later");
		}
		T key = key(type);
		if (key != null) {
			require(key);
			String problem = keyProblem(key);
			if (problem != null) {
				throw unstorable(key, "as the key of a map, Jackson reports: " + problem);
			}
		}
		T content = content(type);
		if (content != null) {
			require(content);
			return;
		}
		String problem = valueProblem(type);
		if (problem != null) {
			throw unstorable(type, problem);
		}
	}

	protected abstract String name(T type);

	protected abstract Class<?> raw(T type);

	/** The type of the keys of a map. */
	protected abstract @Nullable T key(T type);

	/** The type of what a container or a reference has. */
	protected abstract @Nullable T content(T type);

	/** What Jackson says against the type as the key of a map. */
	protected abstract @Nullable String keyProblem(T type);

	/** Why a value cannot be written and read. Requires the types of its properties. */
	protected abstract @Nullable String valueProblem(T type);

	private IllegalArgumentException unstorable(T type, String reason) {
		return new IllegalArgumentException("a result of type " + name(type)
				+ (this.path.isEmpty() ? "" : " (" + this.path + ")") + " cannot be stored and replayed: " + reason);
	}

}

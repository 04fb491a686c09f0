package io.idempotent.method;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * The names of annotated operations, which must be unique: operations with the same name
 * would share keys and settings. Safe for use by several threads.
 */
public final class OperationNames {

	private final Map<String, Object> owners = new ConcurrentHashMap<>();

	/** Returns another owner of the name; the same owner may register it again. */
	public @Nullable Object take(String name, Object owner) {
		Object first = this.owners.putIfAbsent(name, owner);
		return owner.equals(first) ? null : first;
	}

	public SortedSet<String> taken() {
		return new TreeSet<>(this.owners.keySet());
	}

}

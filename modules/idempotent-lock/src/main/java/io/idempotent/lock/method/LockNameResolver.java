package io.idempotent.lock.method;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * Resolves the names of the locks of one annotated method: {@code name} alone, or
 * {@code name:value} for each value of its keys.
 *
 * @param name the common part of the names
 * @param keys the expressions, evaluated on each call
 */
record LockNameResolver(LockNameTemplate name, List<KeyExpression> keys) {

	/**
	 * The locks of a call.
	 * @param arguments its arguments
	 * @return their names, each once
	 * @throws IllegalArgumentException if a key has no value, or one that is not simple
	 */
	Set<String> names(@Nullable Object[] arguments) {
		String name = this.name.resolve(arguments);
		if (this.keys.isEmpty()) {
			return Set.of(name);
		}
		Set<String> names = new LinkedHashSet<>();
		for (KeyExpression key : this.keys) {
			Collection<?> values = values(key.evaluate(arguments));
			if (values.isEmpty()) {
				throw new IllegalArgumentException("A key of the lock '" + name
						+ "' yields no value, and without a lock the method is not run: let the key yield at least one");
			}
			values.forEach((value) -> names.add(name + ":" + LockNameValue.text(name, "key", value)));
		}
		return names;
	}

	private static Collection<?> values(@Nullable Object value) {
		if (value instanceof Collection<?> several) {
			return several;
		}
		return (value != null && value.getClass().isArray()) ? Arrays.asList(ObjectUtils.toObjectArray(value))
				: Arrays.asList(value);
	}

}

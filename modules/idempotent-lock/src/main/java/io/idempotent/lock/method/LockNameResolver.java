package io.idempotent.lock.method;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import io.idempotent.support.Digest;
import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.util.ObjectUtils;

/**
 * Resolves the names of the locks of one annotated method: {@code name} alone, or
 * {@code name:value} for each value of its keys. A value may contain input of a client.
 * So only short plain values are part of the name as they are; any other value is
 * replaced by its digest, which never equals a plain value.
 *
 * @param name the common part of the names
 * @param keys the expressions, evaluated on each call
 */
record LockNameResolver(String name, List<KeyExpression> keys) {

	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	/**
	 * The locks of a call.
	 * @param arguments its arguments
	 * @return their names, each once
	 * @throws IllegalArgumentException if a key has no value, or one that is not simple
	 */
	Set<String> names(@Nullable Object[] arguments) {
		if (this.keys.isEmpty()) {
			return Set.of(this.name);
		}
		Set<String> names = new LinkedHashSet<>();
		for (KeyExpression key : this.keys) {
			Collection<?> values = values(key.evaluate(arguments));
			if (values.isEmpty()) {
				throw new IllegalArgumentException("A key of the lock '" + this.name
						+ "' yields no value, and without a lock the method is not run: let the key yield at least one");
			}
			values.forEach((value) -> names.add(this.name + ":" + text(value)));
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

	private String text(@Nullable Object value) {
		if (value == null || !BeanUtils.isSimpleValueType(value.getClass())) {
			throw new IllegalArgumentException("A key of the lock '" + this.name + "' yields "
					+ ((value != null) ? "a " + value.getClass().getName() : "null")
					+ ", which does not identify anything: let it yield a text, a number or another simple value");
		}
		String text = (value instanceof Enum<?> constant) ? constant.name() : value.toString();
		return PLAIN.matcher(text).matches() ? text : "#" + Digest.sha256().add(text).build().encoded();
	}

}

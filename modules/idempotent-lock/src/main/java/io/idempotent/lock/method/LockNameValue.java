package io.idempotent.lock.method;

import java.util.regex.Pattern;

import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;

/**
 * A value in the name of a lock. It may contain input of a client. So only short plain
 * values are used unchanged; any other value is replaced by its digest, which never
 * equals a plain value.
 */
final class LockNameValue {

	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	private LockNameValue() {
	}

	/**
	 * The text of a value.
	 * @param lock the lock, for the message
	 * @param source what yields the value, for the message
	 * @param value the value
	 * @throws IllegalArgumentException if the value is null or not simple
	 */
	static String text(String lock, String source, @Nullable Object value) {
		if (value == null || !BeanUtils.isSimpleValueType(value.getClass())) {
			throw new IllegalArgumentException("The " + source + " of the lock '" + lock + "' yields "
					+ ((value != null) ? "a " + value.getClass().getName() : "null")
					+ ", which does not identify anything: let it yield a text, a number or another simple value");
		}
		String text = (value instanceof Enum<?> constant) ? constant.name() : value.toString();
		return PLAIN.matcher(text).matches() ? text : "#" + Digest.sha256().add(text).build().encoded();
	}

}

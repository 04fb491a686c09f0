package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import io.idempotent.store.OperationKey;

/**
 * The prefix of all keys of the store.
 *
 * @param value the prefix
 */
record KeyPrefix(String value) {

	private static final Pattern PRINTABLE_WITHOUT_BRACES = Pattern.compile("[!-z|~]+");

	KeyPrefix {
		if (!PRINTABLE_WITHOUT_BRACES.matcher(value).matches()) {
			throw new IllegalArgumentException("The key prefix '" + value
					+ "' must consist of printable ASCII characters without spaces and without { or }, "
					+ "which would put all keys on one node of a Redis Cluster; use one such as 'idem:'");
		}
	}

	byte[] key(OperationKey key) {
		return (this.value + key.encoded()).getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Returns the channel of the wake-ups, which no key is equal to.
	 */
	String channel() {
		return this.value + "wake";
	}

}

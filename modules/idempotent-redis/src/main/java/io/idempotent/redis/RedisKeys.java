package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;

/** The keys of the store, which share the prefix {@code value}. */
record RedisKeys(String value) {

	private static final Pattern PRINTABLE_WITHOUT_BRACES = Pattern.compile("[!-z|~]+");

	RedisKeys {
		if (!PRINTABLE_WITHOUT_BRACES.matcher(value).matches()) {
			throw new IllegalArgumentException("The key prefix '" + value
					+ "' must consist of printable ASCII characters without spaces and without { or }, "
					+ "which would put all keys on one node of a Redis Cluster; use one such as 'idem:'");
		}
	}

	byte[] key(OperationKey key) {
		return bytes(name(key));
	}

	String name(OperationKey key) {
		return this.value + key.encoded();
	}

	OperationKey parse(byte[] key) {
		return OperationKey.parse(new String(key, StandardCharsets.US_ASCII).substring(this.value.length()));
	}

	/** The key of the set of operations whose outcome is unknown. */
	byte[] unknown() {
		return bytes(this.value + "unknown");
	}

	byte[] pattern(KeyPrefix prefix) {
		return bytes(this.value.replaceAll("([*?\\[\\]\\\\^-])", "\\\\$1") + prefix.text() + "*");
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/** The channel of the wake-ups, which differs from every key. */
	String channel() {
		return this.value + "wake";
	}

}

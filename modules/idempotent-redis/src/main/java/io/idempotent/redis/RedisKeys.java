package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

import io.idempotent.store.ClaimId;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;

/** The keys of the store, which share a prefix. */
record RedisKeys(String prefix) {

	private static final Pattern PRINTABLE_WITHOUT_BRACES = Pattern.compile("[!-z|~]+");

	RedisKeys {
		if (!PRINTABLE_WITHOUT_BRACES.matcher(prefix).matches()) {
			throw new IllegalArgumentException("The key prefix '" + prefix
					+ "' must consist of printable ASCII characters without spaces and without { or }, "
					+ "which would put all keys on one node of a Redis Cluster; use one such as 'idem:'");
		}
	}

	byte[] key(OperationKey key) {
		return bytes(name(key));
	}

	/**
	 * Where the finished record of an attempt is set before it is moved to the key of the
	 * operation, whose name is the hash tag, so that a Cluster keeps both in one slot.
	 */
	byte[] ahead(ClaimId claim) {
		String attempt = Base64.getUrlEncoder()
			.withoutPadding()
			.encodeToString(RecordFormat.id(claim.attempt(), claim.owner()));
		return bytes(this.prefix + "{" + name(claim.key()) + "}:" + attempt);
	}

	String name(OperationKey key) {
		return this.prefix + key.encoded();
	}

	OperationKey parse(byte[] key) {
		return OperationKey.parse(new String(key, StandardCharsets.US_ASCII).substring(this.prefix.length()));
	}

	/** The key of the set of operations whose outcome is unknown. */
	byte[] unknown() {
		return bytes(this.prefix + "unknown");
	}

	byte[] pattern(KeyPrefix beginning) {
		return bytes(this.prefix.replaceAll("([*?\\[\\]\\\\^-])", "\\\\$1") + beginning.text() + "*");
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/** The channel of the wake-ups, which differs from every key. */
	String channel() {
		return this.prefix + "wake";
	}

}

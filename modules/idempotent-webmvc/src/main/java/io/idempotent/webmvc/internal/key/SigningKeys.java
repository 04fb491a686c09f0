package io.idempotent.webmvc.internal.key;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

/** The secrets that sign form tokens. Safe for use by several threads. */
public interface SigningKeys {

	/**
	 * The key for a new token. May throw a
	 * {@link io.idempotent.store.StoreUnavailableException}, and an
	 * {@link IllegalArgumentException} if the token is to outlive every key.
	 */
	SigningKey active(Duration timeToLive);

	/**
	 * {@code null} if there is none with this id, which a client may have made up. May
	 * throw a {@link io.idempotent.store.StoreUnavailableException}.
	 */
	@Nullable SigningKey find(String id);

	/** The id is a part of each token. */
	record SigningKey(String id, SecretKeySpec secret) {

		private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,32}");

		static final int MIN_SECRET = 32;

		static SigningKey of(String id, byte[] secret) {
			if (!ID.matcher(id).matches()) {
				throw new IllegalArgumentException("The signing key id '" + id
						+ "' must be 1 to 32 letters, digits, '-' or '_': rename it under idempotent.token.signing.keys");
			}
			if (secret.length < MIN_SECRET) {
				throw new IllegalArgumentException("The secret of signing key '" + id + "' has " + secret.length
						+ " bytes, but HMAC-SHA256 needs at least " + MIN_SECRET + ": use a longer random one");
			}
			return new SigningKey(id, new SecretKeySpec(secret, "HmacSHA256"));
		}

	}

	/**
	 * The keys of the configuration. To rotate them, add a new one, make it active, and
	 * remove the old one after the time to live of the tokens.
	 */
	final class Configured implements SigningKeys {

		private final SigningKey active;

		private final Map<String, SigningKey> keys;

		public Configured(String activeKey, Map<String, String> secrets) {
			this.keys = secrets.entrySet()
				.stream()
				.map((secret) -> SigningKey.of(secret.getKey(), secret.getValue().getBytes(StandardCharsets.UTF_8)))
				.collect(Collectors.toUnmodifiableMap(SigningKey::id, (key) -> key));
			SigningKey found = this.keys.get(activeKey);
			if (found == null) {
				throw new IllegalArgumentException("The active key '" + activeKey + "' of signed tokens "
						+ "(idempotent.token.signing.active-key) is not defined: define idempotent.token.signing.keys."
						+ activeKey);
			}
			this.active = found;
		}

		@Override
		public SigningKey active(Duration timeToLive) {
			return this.active;
		}

		@Override
		public @Nullable SigningKey find(String id) {
			return this.keys.get(id);
		}

	}

}

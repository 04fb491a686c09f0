package io.idempotent.boot.internal.properties;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

import io.idempotent.boot.settings.PropertyAssertions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of form tokens.
 *
 * @param enabled Whether to provide an endpoint that issues tokens.
 * @param path Path of the token endpoint.
 * @param header Name of the request header that carries a token.
 * @param timeToLive How long after its issue a token can be used for the first time.
 * @param signing Signing of tokens, which then are stored when they are used, not when
 * they are issued.
 */
public record TokenProperties(@DefaultValue("true") boolean enabled, @DefaultValue("/token") String path,
		@DefaultValue("Idempotent-Token") String header, @DefaultValue("10m") Duration timeToLive,
		@DefaultValue Signing signing) {

	public TokenProperties {
		PropertyAssertions.path("idempotent.token.path", path,
				"Give a path such as /token, or disable the endpoint: idempotent.token.enabled=false");
		PropertyAssertions.headerName("idempotent.token.header", header);
		PropertyAssertions.positive("idempotent.token.time-to-live", timeToLive);
	}

	/**
	 * Signing of tokens with secrets that all nodes have.
	 *
	 * @param activeKey Id of the key that signs new tokens. Without it, tokens are not
	 * signed.
	 * @param keys Secrets of all keys whose signatures are accepted, by key id. Each has
	 * at least 32 bytes.
	 */
	public record Signing(@Nullable String activeKey, @DefaultValue Map<String, String> keys) {

		private static final String KEYS = "idempotent.token.signing.keys";

		private static final String ACTIVE_KEY = "idempotent.token.signing.active-key";

		private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9_-]{1,32}");

		private static final int SHORTEST_SECRET = 32;

		public Signing {
			PropertyAssertions.that(activeKey != null || keys.isEmpty(), KEYS, keys.keySet(), "none of the keys signs",
					"Set " + ACTIVE_KEY + " to one of them");
			keys.forEach(Signing::requireSecret);
			PropertyAssertions.that(activeKey == null || keys.containsKey(activeKey), ACTIVE_KEY,
					String.valueOf(activeKey), "there is no secret " + KEYS + "." + activeKey,
					"Give all nodes the same random secret, such as the output of: openssl rand -base64 32, or name one "
							+ "of the keys " + keys.keySet());
		}

		private static void requireSecret(String id, String secret) {
			PropertyAssertions.that(KEY_ID.matcher(id).matches(), KEYS, id,
					"the id of a key must consist of 1 to 32 letters, digits, '-' or '_'", "Rename the key");
			int bytes = secret.getBytes(StandardCharsets.UTF_8).length;
			PropertyAssertions.that(bytes >= SHORTEST_SECRET, KEYS + "." + id, "(not shown)",
					"the secret has " + bytes + " bytes, and HMAC-SHA256 needs at least " + SHORTEST_SECRET,
					"Use a longer random secret, such as the output of: openssl rand -base64 32");
		}

		/**
		 * Without the secrets.
		 */
		@Override
		public String toString() {
			return "Signing[activeKey=" + this.activeKey + ", keys=" + this.keys.keySet() + "]";
		}

	}

}

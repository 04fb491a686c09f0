package io.idempotent.webmvc.internal.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.OperationKey;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

/**
 * Form tokens that are not stored until they are used:
 * {@code <key id>.<payload><HMAC-SHA256>}, where the payload is a flag, the expiry in
 * seconds and 128 random bits. The signature also covers the caller and the operation.
 * Any node that has the key recognises the token. To rotate keys, add a new one, make it
 * the active one, and remove the old one after the tokens' time to live.
 *
 * <p>
 * An expired token starts nothing new, but still finds the record of its own use, so that
 * a late repeat is replayed. The node that signs sets the expiry and the node that checks
 * compares it with its own wall clock: a skew between the two shortens or lengthens the
 * life of a token by as much.
 */
public final class SignedTokens implements TokenMint {

	private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9_-]{1,32}");

	private static final int MIN_SECRET = 32;

	private static final byte FOR_ANY = 0;

	private static final byte FOR_ONE = 1;

	private static final int PAYLOAD = 1 + Long.BYTES + 16;

	private final String namespace;

	private final Duration timeToLive;

	private final String activeKey;

	private final Map<String, SecretKeySpec> keys;

	private final Clock clock;

	private final SecureRandom random = new SecureRandom();

	public SignedTokens(String namespace, Duration timeToLive, String activeKey, Map<String, String> secrets,
			Clock clock) {
		this.namespace = namespace;
		this.timeToLive = timeToLive;
		this.activeKey = activeKey;
		this.keys = secrets.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey,
					(secret) -> key(secret.getKey(), secret.getValue())));
		this.clock = clock;
		if (!this.keys.containsKey(activeKey)) {
			throw new IllegalArgumentException("The active key '" + activeKey + "' of signed tokens "
					+ "(idempotent.token.signing.active-key) is not defined: define idempotent.token.signing.keys."
					+ activeKey);
		}
	}

	@Override
	public String mint(List<String> caller, String operation, Duration timeToLive) {
		byte[] nonce = new byte[16];
		this.random.nextBytes(nonce);
		byte[] payload = ByteBuffer.allocate(PAYLOAD)
			.put(operation.equals(ANY_OPERATION) ? FOR_ANY : FOR_ONE)
			.putLong(this.clock.instant().plus(timeToLive).getEpochSecond())
			.put(nonce)
			.array();
		byte[] mac = sign(this.activeKey, payload, caller, operation);
		return this.activeKey + "."
				+ Base64.getUrlEncoder()
					.withoutPadding()
					.encodeToString(ByteBuffer.allocate(payload.length + mac.length).put(payload).put(mac).array());
	}

	@Override
	public String draw(String operation) {
		return mint(List.of(), operation, this.timeToLive);
	}

	@Override
	public @Nullable Token recognise(String token, List<String> caller, String operation) {
		int dot = token.indexOf('.');
		byte[] bytes = (dot > 0) ? decode(token.substring(dot + 1)) : null;
		if (bytes == null || bytes.length != PAYLOAD + Digest.LENGTH
				|| !this.keys.containsKey(token.substring(0, dot))) {
			return null;
		}
		ByteBuffer payload = ByteBuffer.wrap(bytes, 0, PAYLOAD);
		String madeFor = (payload.get() == FOR_ANY) ? ANY_OPERATION : operation;
		Duration life = Duration.ofSeconds(payload.getLong() - this.clock.instant().getEpochSecond());
		byte[] expected = sign(token.substring(0, dot), Arrays.copyOf(bytes, PAYLOAD), caller, madeFor);
		byte[] actual = Arrays.copyOfRange(bytes, PAYLOAD, bytes.length);
		if (!MessageDigest.isEqual(expected, actual)) {
			return null;
		}
		OperationKey key = StoredTokens.tokenKey(this.namespace, token, caller, madeFor);
		return new Token(key, life.isNegative() ? Admission.ISSUED : Admission.OPEN, Token.life(life));
	}

	@Override
	public Duration timeToLive() {
		return this.timeToLive;
	}

	private byte[] sign(String keyId, byte[] payload, List<String> caller, String operation) {
		Digest.Builder content = Digest.sha256().add(this.namespace).add(keyId).add(payload).add(operation);
		caller.forEach(content::add);
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(this.keys.get(keyId));
			return mac.doFinal(content.build().bytes());
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(
					"A form token cannot be signed with key '" + keyId + "': this JVM does not provide HmacSHA256", ex);
		}
	}

	private static SecretKeySpec key(String id, String secret) {
		if (!KEY_ID.matcher(id).matches()) {
			throw new IllegalArgumentException("The signing key id '" + id
					+ "' must be 1 to 32 letters, digits, '-' or '_': rename it under idempotent.token.signing.keys");
		}
		byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
		if (bytes.length < MIN_SECRET) {
			throw new IllegalArgumentException("The secret of signing key '" + id + "' has " + bytes.length
					+ " bytes, but HMAC-SHA256 needs at least " + MIN_SECRET + ": use a longer random one");
		}
		return new SecretKeySpec(bytes, "HmacSHA256");
	}

	private static byte @Nullable [] decode(String text) {
		try {
			return Base64.getUrlDecoder().decode(text);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}

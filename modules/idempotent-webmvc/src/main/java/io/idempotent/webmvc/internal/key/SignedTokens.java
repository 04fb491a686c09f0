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
import java.util.Objects;
import java.util.stream.Collectors;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

/**
 * Form tokens that are not stored until they are used:
 * {@code <key id>.<payload><HMAC-SHA256>}, where the payload is a flag, the expiry in
 * seconds and 128 random bits. The signature also covers the caller and the operation. An
 * expired token starts nothing new, but still finds the record of its use, so that a late
 * repeat is replayed. Clock skew between the nodes that sign and check changes its life
 * by as much. To rotate the keys, add a new one, make it active, and remove the old one
 * after the time to live of the tokens.
 */
public final class SignedTokens implements TokenService {

	private static final byte FOR_ANY = 0;

	private static final byte FOR_ONE = 1;

	private static final String HMAC = "HmacSHA256";

	private static final int PAYLOAD = 1 + Long.BYTES + 16;

	private final String namespace;

	private final Duration timeToLive;

	private final String activeKey;

	private final Map<String, SecretKeySpec> keys;

	private final Clock clock;

	private final SecureRandom random = new SecureRandom();

	/** Each secret, by the id of its key, has at least 32 bytes. */
	public SignedTokens(String namespace, Duration timeToLive, String activeKey, Map<String, String> secrets,
			Clock clock) {
		this.namespace = namespace;
		this.timeToLive = timeToLive;
		this.activeKey = activeKey;
		this.keys = secrets.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey,
					(secret) -> key(secret.getValue().getBytes(StandardCharsets.UTF_8))));
		this.clock = clock;
	}

	@Override
	public String issue(List<String> caller, String operation, Duration timeToLive) {
		return issue(this.activeKey, Objects.requireNonNull(this.keys.get(this.activeKey)), caller, operation,
				timeToLive);
	}

	/** Signed with a key of its own. */
	@Override
	public String generate(String operation) {
		byte[] secret = new byte[Digest.LENGTH];
		this.random.nextBytes(secret);
		return issue("none", key(secret), List.of(), operation, this.timeToLive);
	}

	private String issue(String id, SecretKeySpec key, List<String> caller, String operation, Duration timeToLive) {
		byte[] nonce = new byte[16];
		this.random.nextBytes(nonce);
		byte[] payload = ByteBuffer.allocate(PAYLOAD)
			.put(operation.equals(ANY_OPERATION) ? FOR_ANY : FOR_ONE)
			.putLong(this.clock.instant().plus(timeToLive).getEpochSecond())
			.put(nonce)
			.array();
		byte[] mac = sign(id, key, payload, caller, operation);
		return id + "."
				+ Base64.getUrlEncoder()
					.withoutPadding()
					.encodeToString(ByteBuffer.allocate(payload.length + mac.length).put(payload).put(mac).array());
	}

	@Override
	public @Nullable Token recognise(String token, List<String> caller, String operation) {
		int dot = token.indexOf('.');
		byte[] bytes = (dot > 0) ? decode(token.substring(dot + 1)) : null;
		String id = token.substring(0, Math.max(dot, 0));
		SecretKeySpec key = this.keys.get(id);
		if (bytes == null || bytes.length != PAYLOAD + Digest.LENGTH || key == null) {
			return null;
		}
		ByteBuffer payload = ByteBuffer.wrap(bytes, 0, PAYLOAD);
		String madeFor = (payload.get() == FOR_ANY) ? ANY_OPERATION : operation;
		Duration life = Duration.ofSeconds(payload.getLong() - this.clock.instant().getEpochSecond());
		byte[] expected = sign(id, key, Arrays.copyOf(bytes, PAYLOAD), caller, madeFor);
		byte[] actual = Arrays.copyOfRange(bytes, PAYLOAD, bytes.length);
		if (!MessageDigest.isEqual(expected, actual)) {
			return null;
		}
		return new Token(StoredTokens.tokenKey(this.namespace, token, caller, madeFor),
				life.isNegative() ? Admission.ISSUED : Admission.OPEN, Token.life(life));
	}

	@Override
	public Duration timeToLive() {
		return this.timeToLive;
	}

	private static SecretKeySpec key(byte[] secret) {
		return new SecretKeySpec(secret, HMAC);
	}

	private byte[] sign(String id, SecretKeySpec key, byte[] payload, List<String> caller, String operation) {
		Digest.Builder content = Digest.sha256().add(this.namespace).add(id).add(payload).add(operation);
		caller.forEach(content::add);
		try {
			Mac mac = Mac.getInstance(HMAC);
			mac.init(key);
			return mac.doFinal(content.build().bytes());
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(
					"A form token cannot be signed with key '" + id + "': this JVM does not provide HmacSHA256", ex);
		}
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

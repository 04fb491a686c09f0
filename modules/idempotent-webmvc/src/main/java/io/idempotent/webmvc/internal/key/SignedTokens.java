package io.idempotent.webmvc.internal.key;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

import javax.crypto.Mac;

import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.OperationKey;
import io.idempotent.support.Digest;
import io.idempotent.webmvc.internal.key.SigningKeys.SigningKey;
import org.jspecify.annotations.Nullable;

/**
 * Form tokens that are not stored until they are used:
 * {@code <key id>.<payload><HMAC-SHA256>}, where the payload is a flag, the expiry in
 * seconds and 128 random bits. The signature also covers the caller and the operation. An
 * expired token starts nothing new, but still finds the record of its use, so that a late
 * repeat is replayed. Clock skew between the nodes that sign and check changes its life
 * by as much.
 */
public final class SignedTokens implements TokenService {

	private static final byte FOR_ANY = 0;

	private static final byte FOR_ONE = 1;

	private static final int PAYLOAD = 1 + Long.BYTES + 16;

	private final String namespace;

	private final Duration timeToLive;

	private final SigningKeys keys;

	private final Clock clock;

	private final SecureRandom random = new SecureRandom();

	public SignedTokens(String namespace, Duration timeToLive, SigningKeys keys, Clock clock) {
		this.namespace = namespace;
		this.timeToLive = timeToLive;
		this.keys = keys;
		this.clock = clock;
	}

	@Override
	public String issue(List<String> caller, String operation, Duration timeToLive) {
		return issue(this.keys.active(timeToLive), caller, operation, timeToLive);
	}

	/** Signed with a key of its own. */
	@Override
	public String generate(String operation) {
		byte[] secret = new byte[SigningKey.MIN_SECRET];
		this.random.nextBytes(secret);
		return issue(SigningKey.of("none", secret), List.of(), operation, this.timeToLive);
	}

	private String issue(SigningKey key, List<String> caller, String operation, Duration timeToLive) {
		byte[] nonce = new byte[16];
		this.random.nextBytes(nonce);
		byte[] payload = ByteBuffer.allocate(PAYLOAD)
			.put(operation.equals(ANY_OPERATION) ? FOR_ANY : FOR_ONE)
			.putLong(this.clock.instant().plus(timeToLive).getEpochSecond())
			.put(nonce)
			.array();
		byte[] mac = sign(key, payload, caller, operation);
		return key.id() + "."
				+ Base64.getUrlEncoder()
					.withoutPadding()
					.encodeToString(ByteBuffer.allocate(payload.length + mac.length).put(payload).put(mac).array());
	}

	@Override
	public @Nullable Token recognise(String token, List<String> caller, String operation) {
		int dot = token.indexOf('.');
		byte[] bytes = (dot > 0) ? decode(token.substring(dot + 1)) : null;
		SigningKey signedWith = (bytes != null && bytes.length == PAYLOAD + Digest.LENGTH)
				? this.keys.find(token.substring(0, dot)) : null;
		if (bytes == null || signedWith == null) {
			return null;
		}
		ByteBuffer payload = ByteBuffer.wrap(bytes, 0, PAYLOAD);
		String madeFor = (payload.get() == FOR_ANY) ? ANY_OPERATION : operation;
		Duration life = Duration.ofSeconds(payload.getLong() - this.clock.instant().getEpochSecond());
		byte[] expected = sign(signedWith, Arrays.copyOf(bytes, PAYLOAD), caller, madeFor);
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

	private byte[] sign(SigningKey key, byte[] payload, List<String> caller, String operation) {
		Digest.Builder content = Digest.sha256().add(this.namespace).add(key.id()).add(payload).add(operation);
		caller.forEach(content::add);
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(key.secret());
			return mac.doFinal(content.build().bytes());
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(
					"A form token cannot be signed with key '" + key.id() + "': this JVM does not provide HmacSHA256",
					ex);
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

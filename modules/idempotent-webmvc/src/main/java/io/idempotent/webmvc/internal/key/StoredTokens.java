package io.idempotent.webmvc.internal.key;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.IdempotencyGate;
import org.jspecify.annotations.Nullable;

/**
 * Form tokens that are stored when issued: a letter that marks tokens for one operation,
 * 128 random bits, and the expiry in seconds. The key covers token and caller. The store
 * limits the time of first use; the record of the use is kept at least until the expiry,
 * since a repeat would otherwise look like a token that was never used.
 */
public final class StoredTokens implements TokenService {

	private static final char FOR_ANY = 'a';

	private static final char FOR_ONE = 'o';

	private static final int NONCE = 16;

	/** The letter, and the nonce and the expiry in base64url. */
	private static final int LENGTH = 28;

	/** The expiry is an unsigned number of 32 bits, which reaches to the year 2106. */
	private static final long LAST_EXPIRY = 0xFFFF_FFFFL;

	private final IdempotencyGate gate;

	private final String namespace;

	private final Duration timeToLive;

	private final Clock clock;

	private final SecureRandom random = new SecureRandom();

	public StoredTokens(IdempotencyGate gate, String namespace, Duration timeToLive, Clock clock) {
		this.gate = gate;
		this.namespace = namespace;
		this.timeToLive = timeToLive;
		this.clock = clock;
	}

	@Override
	public String issue(List<String> caller, String operation, Duration timeToLive) {
		String token = generate(operation, timeToLive);
		this.gate.issue(key(token, caller, operation), timeToLive);
		return token;
	}

	@Override
	public String generate(String operation) {
		return generate(operation, this.timeToLive);
	}

	private String generate(String operation, Duration timeToLive) {
		byte[] nonce = new byte[NONCE];
		this.random.nextBytes(nonce);
		long expiry = Math.min(this.clock.instant().getEpochSecond() + timeToLive.toSeconds(), LAST_EXPIRY);
		byte[] content = ByteBuffer.allocate(NONCE + Integer.BYTES).put(nonce).putInt((int) expiry).array();
		return (operation.equals(ANY_OPERATION) ? FOR_ANY : FOR_ONE)
				+ Base64.getUrlEncoder().withoutPadding().encodeToString(content);
	}

	@Override
	public @Nullable Token recognise(String token, List<String> caller, String operation) {
		if (!isWellFormed(token)) {
			return null;
		}
		String madeFor = switch (token.charAt(0)) {
			case FOR_ANY -> ANY_OPERATION;
			case FOR_ONE -> operation;
			default -> null;
		};
		return (madeFor != null) ? new Token(key(token, caller, madeFor), Admission.ISSUED, life(token)) : null;
	}

	private Duration life(String token) {
		byte[] content = Base64.getUrlDecoder().decode(token.substring(1));
		long expiry = Integer.toUnsignedLong(ByteBuffer.wrap(content).getInt(NONCE));
		return Token.life(Duration.ofSeconds(expiry - this.clock.instant().getEpochSecond()));
	}

	private static boolean isWellFormed(String token) {
		return token.length() == LENGTH && token.chars()
			.allMatch((c) -> (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'
					|| c == '_');
	}

	@Override
	public Duration timeToLive() {
		return this.timeToLive;
	}

	private OperationKey key(String token, List<String> caller, String operation) {
		return tokenKey(this.namespace, token, caller, operation);
	}

	static OperationKey tokenKey(String namespace, String token, List<String> caller, String operation) {
		List<String> scope = new ArrayList<>(caller);
		scope.add(0, "token");
		return OperationKey.of(namespace, operation, scope, token);
	}

}

package io.idempotent.webmvc;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import io.idempotent.engine.IdempotencyGate;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.OperationKey;
import org.jspecify.annotations.Nullable;

/**
 * Form tokens that are stored when they are issued: a letter, which marks tokens for one
 * operation, and 128 random bits. The caller is part of the key, so the token of another
 * caller is unknown.
 */
final class StoredTokens implements TokenMint {

	private static final char FOR_ANY = 'a';

	private static final char FOR_ONE = 'o';

	/** The letter, and 128 bits in base64url. */
	private static final int LENGTH = 23;

	private final IdempotencyGate gate;

	private final String namespace;

	private final Duration timeToLive;

	private final SecureRandom random = new SecureRandom();

	StoredTokens(IdempotencyGate gate, String namespace, Duration timeToLive) {
		this.gate = gate;
		this.namespace = namespace;
		this.timeToLive = timeToLive;
	}

	@Override
	public String mint(List<String> caller, String operation, Duration timeToLive) {
		String token = draw(operation);
		this.gate.issue(key(token, caller, operation), timeToLive);
		return token;
	}

	@Override
	public String draw(String operation) {
		byte[] bits = new byte[16];
		this.random.nextBytes(bits);
		return (operation.equals(ANY_OPERATION) ? FOR_ANY : FOR_ONE)
				+ Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
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
		return (madeFor != null) ? new Token(key(token, caller, madeFor), Admission.ISSUED, Duration.ZERO) : null;
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

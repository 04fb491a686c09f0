package io.idempotent.webmvc.internal.key;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;

import io.idempotent.engine.IdempotencyGate;

/**
 * How form tokens are issued.
 */
public sealed interface TokenSettings {

	/**
	 * Tokens that are stored when they are issued.
	 *
	 * @param timeToLive how long a token may be used for the first time
	 * @param clock the wall clock
	 */
	record Stored(Duration timeToLive, Clock clock) implements TokenSettings {
	}

	/**
	 * Tokens that are signed, and not stored until they are used.
	 *
	 * @param timeToLive how long a token may be used for the first time
	 * @param activeKey the id of the key that signs
	 * @param secrets the secrets of all recognised keys, by key id
	 * @param clock the wall clock
	 */
	record Signed(Duration timeToLive, String activeKey, Map<String, String> secrets,
			Clock clock) implements TokenSettings {
	}

	/**
	 * Creates what issues them.
	 * @param gate the state machine
	 * @param namespace the namespace of all keys
	 */
	default TokenMint mint(IdempotencyGate gate, String namespace) {
		if (this instanceof Signed signed) {
			return new SignedTokens(namespace, signed.timeToLive(), signed.activeKey(), signed.secrets(),
					signed.clock());
		}
		Stored stored = (Stored) this;
		return new StoredTokens(gate, namespace, stored.timeToLive(), stored.clock());
	}

}

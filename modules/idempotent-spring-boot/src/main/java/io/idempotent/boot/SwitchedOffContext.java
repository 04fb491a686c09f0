package io.idempotent.boot;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;

import io.idempotent.IdempotencyContext;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

/**
 * The context of a request while the library is switched off: each request is a separate
 * operation, and nothing is recorded.
 *
 * @param operation the handler method
 * @param key a random key for this request
 */
record SwitchedOffContext(String operation, String key) implements IdempotencyContext {

	static SwitchedOffContext of(String operation) {
		return new SwitchedOffContext(operation, digest(UUID.randomUUID().toString(), ""));
	}

	@Override
	public String derivedKey(String purpose) {
		return digest(this.key, purpose);
	}

	private static String digest(String first, String second) {
		return Digest.sha256().add(first).add(second).build().encoded();
	}

	@Override
	public int attempt() {
		return 0;
	}

	@Override
	public boolean isReplay() {
		return false;
	}

	@Override
	public boolean isClaimLost() {
		return false;
	}

	@Override
	public <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
		return task;
	}

	@Override
	public void doNotStoreAnswer() {
	}

	@Override
	public void retainFor(Duration retention) {
		if (!PropertyAssertions.isPositive(retention)) {
			throw new IllegalArgumentException("The retention " + retention + " is not positive");
		}
	}

}

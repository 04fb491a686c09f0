package io.idempotent.programs;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.local.LocalIdempotencyStore;

/**
 * A store that can be away.
 */
final class SwitchableStore implements IdempotencyStore {

	private volatile IdempotencyStore target;

	private volatile boolean away;

	SwitchableStore(IdempotencyStore target) {
		this.target = target;
	}

	void away(boolean now) {
		this.away = now;
	}

	private IdempotencyStore target() {
		if (this.away) {
			throw new StoreUnavailableException("planned", new IllegalStateException("planned"));
		}
		return this.target;
	}

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		target().issue(key, timeToLive);
	}

	@Override
	public ClaimResult claim(ClaimRequest request) {
		return target().claim(request);
	}

	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		return target().renew(claim, lease);
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		return target().complete(claim, outcome, retention);
	}

	@Override
	public Ownership release(ClaimId claim, Release release) {
		return target().release(claim, release);
	}

	/**
	 * A local store for several nodes, whose clock can be set and which can be emptied.
	 */
	static final class Local {

		private static final int MANY = 100_000;

		private final AtomicLong skew = new AtomicLong();

		private final SwitchableStore store = new SwitchableStore(empty());

		SwitchableStore store() {
			return this.store;
		}

		void flush() {
			this.store.target = empty();
		}

		void pass(Duration time) {
			this.skew.addAndGet(TimeUnit.NANOSECONDS.convert(time));
		}

		private LocalIdempotencyStore empty() {
			return new LocalIdempotencyStore(MANY, () -> System.nanoTime() + this.skew.get());
		}

	}

}

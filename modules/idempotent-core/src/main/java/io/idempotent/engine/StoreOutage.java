package io.idempotent.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Ownership;
import io.idempotent.store.Release;
import io.idempotent.store.StoreUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Watches the calls of a store, so that the log has one line when the store begins to
 * fail and one when it works again, instead of one for each submission. An outage is over
 * with the first call that succeeds after the store has not failed for a while; while it
 * lasts it is told again now and then.
 */
final class StoreOutage implements IdempotencyStore {

	private static final Log logger = LogFactory.getLog(StoreOutage.class);

	/** How long the store must not have failed: one shard of a cluster may be away. */
	static final Duration QUIET = Duration.ofSeconds(5);

	private static final Duration REMINDER = Duration.ofMinutes(1);

	private final IdempotencyStore store;

	private final long quiet;

	private final AtomicBoolean failing = new AtomicBoolean();

	private final LongAdder refused = new LongAdder();

	private final LongAdder unprotected = new LongAdder();

	private volatile long began;

	private volatile long lastFailure;

	private volatile long lastTold;

	StoreOutage(IdempotencyStore store, Duration quiet) {
		this.store = store;
		this.quiet = quiet.toNanos();
	}

	/**
	 * Counts a submission that was refused since the store failed.
	 * @param operation the name of the operation
	 * @param failure how it failed
	 */
	void refused(String operation, StoreUnavailableException failure) {
		this.refused.increment();
		logger.debug("Operation '" + operation + "' was refused", failure);
	}

	/**
	 * Counts a submission that ran without a claim since the store failed.
	 * @param policy how the operation is treated
	 * @param key which operation
	 * @param failure how the store failed
	 */
	void ranUnprotected(OperationPolicy policy, OperationKey key, StoreUnavailableException failure) {
		this.unprotected.increment();
		logger.debug("Operation '" + policy.operation() + "' (key " + key + ") runs without "
				+ (policy.receipt() ? "a claim, under its receipt alone" : "protection"), failure);
	}

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		watch(() -> {
			this.store.issue(key, timeToLive);
			return true;
		});
	}

	@Override
	public ClaimResult claim(ClaimRequest request) {
		return watch(() -> this.store.claim(request));
	}

	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		return watch(() -> this.store.renew(claim, lease));
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		return watch(() -> this.store.complete(claim, outcome, retention));
	}

	@Override
	public Ownership release(ClaimId claim, Release release) {
		return watch(() -> this.store.release(claim, release));
	}

	private <T> T watch(Supplier<T> call) {
		try {
			T result = call.get();
			if (this.failing.get()) {
				worked();
			}
			return result;
		}
		catch (StoreUnavailableException ex) {
			failed(ex);
			throw ex;
		}
	}

	private void failed(StoreUnavailableException failure) {
		long now = System.nanoTime();
		this.lastFailure = now;
		if (this.failing.compareAndSet(false, true)) {
			this.began = now;
			this.lastTold = now;
			logger.warn("The store of idempotent operations fails. Until it works again, submissions are refused or "
					+ "run unprotected, as whenStoreFails says, and ends of operations are told to it later; further "
					+ "failures are logged at debug level: " + failure.getMessage());
		}
		else if (now - this.lastTold > REMINDER.toNanos()) {
			this.lastTold = now;
			logger.warn("The store of idempotent operations still fails" + sofar(now) + ": " + failure.getMessage());
		}
	}

	private void worked() {
		long last = this.lastFailure;
		if (System.nanoTime() - last >= this.quiet && this.failing.compareAndSet(true, false)) {
			logger.info("The store of idempotent operations works again. It failed" + sofar(last));
			this.refused.reset();
			this.unprotected.reset();
		}
	}

	private String sofar(long until) {
		return " for " + Duration.ofNanos(until - this.began).toSeconds() + " s; submissions refused meanwhile: "
				+ this.refused.sum() + ", run unprotected: " + this.unprotected.sum();
	}

}

package io.idempotent.engine;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.idempotent.logging.DurationText;
import io.idempotent.logging.Outage;
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
 * Delegates to a store and logs its outages: one line when the store begins to fail,
 * reminders while it fails, and one line when it works again, instead of one line for
 * each submission. An outage ends with the first call that succeeds after the store has
 * not failed for a while.
 */
final class StoreOutage implements IdempotencyStore {

	private static final Log logger = LogFactory.getLog(StoreOutage.class);

	private final IdempotencyStore store;

	private final Outage outage;

	private final LongAdder refused = new LongAdder();

	private final LongAdder unprotected = new LongAdder();

	StoreOutage(IdempotencyStore store, Duration quiet) {
		this.store = store;
		this.outage = new Outage(quiet);
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
	 * @param key the operation key
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
			Duration lasted = this.outage.succeeded();
			if (lasted != null) {
				ended(lasted);
			}
			return result;
		}
		catch (StoreUnavailableException ex) {
			failed(ex);
			throw ex;
		}
	}

	private void failed(StoreUnavailableException failure) {
		switch (this.outage.failed()) {
			case FIRST -> logger.warn("The store of idempotent operations fails. Until it works again, submissions are "
					+ "refused or run unprotected (whenStoreFails), and the outcomes of running operations are written "
					+ "later; further failures are logged at DEBUG: " + failure.getMessage());
			case REMINDER -> logger.warn("The store of idempotent operations still fails, for "
					+ soFar(this.outage.lasted()) + ": " + failure.getMessage());
			case FURTHER -> {
				// Logged by the callers, at DEBUG.
			}
		}
	}

	private void ended(Duration lasted) {
		logger.info("The store of idempotent operations works again. It failed for " + soFar(lasted));
		this.refused.reset();
		this.unprotected.reset();
	}

	private String soFar(Duration time) {
		return DurationText.ofMeasured(time) + "; submissions refused meanwhile: " + this.refused.sum()
				+ ", run unprotected: " + this.unprotected.sum();
	}

}

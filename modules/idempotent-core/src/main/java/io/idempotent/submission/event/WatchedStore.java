package io.idempotent.submission.event;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

import io.idempotent.logging.Outage;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.submission.event.GateListener.StoreCall;
import io.idempotent.submission.event.GateListener.StoreResult;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Passes calls on to a store, decrypts the outcomes that it returns, reports each call to
 * the {@link GateListener}s, and logs outages: a line at the start, reminders, and a line
 * at the end. An outage ends with the first success after a while without failures.
 */
public final class WatchedStore implements IdempotencyStore {

	private static final Log logger = LogFactory.getLog(WatchedStore.class);

	private final IdempotencyStore store;

	private final RecordEncryption encryption;

	private final Outage outage;

	private final IdempotencyListeners listeners;

	/** A store that encrypts gets outcomes as they are. */
	public WatchedStore(IdempotencyStore store, RecordEncryption encryption, Duration quiet,
			IdempotencyListeners listeners) {
		this.store = store;
		this.encryption = store.encrypts() ? RecordEncryption.NONE : encryption;
		this.outage = new Outage(quiet);
		this.listeners = listeners;
	}

	/** Listeners are not notified. */
	@Override
	public void check(OperationKey unused, Duration timeToLive) {
		watch(() -> {
			this.store.check(unused, timeToLive);
			return StoreResult.ISSUED;
		});
	}

	/** Claims again what may have been claimed already; listeners are not notified. */
	public ClaimResult claimAgain(ClaimRequest request) {
		return watch(() -> this.store.claim(request));
	}

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		listen(StoreCall.ISSUE, () -> {
			this.store.issue(key, timeToLive);
			return StoreResult.ISSUED;
		}, Function.identity());
	}

	@Override
	public ClaimResult claim(ClaimRequest request) {
		return listen(StoreCall.CLAIM, () -> decrypted(request.key(), this.store.claim(request)), StoreResult::of);
	}

	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		return listen(StoreCall.RENEW, () -> this.store.renew(claim, lease), StoreResult::of);
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		return listen(StoreCall.COMPLETE, () -> this.store.complete(claim, outcome, retention), StoreResult::of);
	}

	@Override
	public Ownership release(ClaimId claim, Release release) {
		return listen(StoreCall.RELEASE, () -> this.store.release(claim, release), StoreResult::of);
	}

	/** An answer that cannot be decrypted now, perhaps can be for the next repeat. */
	private ClaimResult decrypted(OperationKey key, ClaimResult result) {
		if (!(result instanceof ClaimResult.Completed done)) {
			return result;
		}
		ClaimResult.Completed decrypted = done.as(decrypt(key, done.outcome()));
		return (decrypted.outcome() == Outcome.TOMBSTONE && done.outcome() instanceof Outcome.Stored)
				? decrypted.uncached() : decrypted;
	}

	/** What to record of an outcome; a tombstone if its answer cannot be encrypted. */
	public Outcome encrypt(OperationKey key, Outcome outcome) {
		return this.encryption.encrypt(key, outcome);
	}

	/** What was recorded, from an outcome as the store has it. */
	public Outcome decrypt(OperationKey key, Outcome stored) {
		return this.encryption.decrypt(key, stored);
	}

	@Override
	public int renewalsAtOnce() {
		return this.store.renewalsAtOnce();
	}

	private <T> T listen(StoreCall call, Supplier<T> use, Function<T, StoreResult> result) {
		if (!this.listeners.hearStoreCalls()) {
			return watch(use);
		}
		long start = System.nanoTime();
		StoreResult outcome = StoreResult.FAILED;
		try {
			T value = watch(use);
			outcome = result.apply(value);
			return value;
		}
		catch (StoreUnavailableException ex) {
			outcome = StoreResult.UNAVAILABLE;
			throw ex;
		}
		finally {
			this.listeners.storeCalled(call, outcome, System.nanoTime() - start);
		}
	}

	private <T> T watch(Supplier<T> call) {
		try {
			T result = call.get();
			succeeded();
			return result;
		}
		catch (StoreUnavailableException ex) {
			// The failure of an interrupted call says nothing about the store.
			if (!Thread.currentThread().isInterrupted()) {
				failed(ex.getMessage());
			}
			throw ex;
		}
	}

	private void succeeded() {
		String outage = this.outage.succeeded();
		if (outage != null) {
			logger.info("The store of idempotent operations works again: " + outage);
		}
	}

	/** Logs the first failure of an outage; its end is logged with a success. */
	public void failed(@Nullable String reason) {
		switch (this.outage.failed()) {
			case FIRST -> logger.warn("The store of idempotent operations fails. Until it works again, submissions are "
					+ "refused or run unprotected (whenStoreFails), and the outcomes of running operations are written "
					+ "later; further failures are logged at DEBUG: " + reason);
			case REMINDER ->
				logger.warn("The store of idempotent operations still fails: " + this.outage.soFar() + ": " + reason);
			case FURTHER -> {
				// Logged by the callers, at DEBUG.
			}
		}
	}

}

package io.idempotent.crash;

import java.time.Duration;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;

/**
 * A real store with a breakpoint before and after each call that matters.
 *
 * @param store the store
 * @param breakpoints the breakpoints
 * @param forgetful a planted bug: says that it has recorded an outcome, and forgets the
 * operation
 */
record BreakableStore(IdempotencyStore store, Breakpoints breakpoints, boolean forgetful) implements IdempotencyStore {

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		this.store.issue(key, timeToLive);
	}

	@Override
	public ClaimResult claim(ClaimRequest request) {
		this.breakpoints.pass(CrashPoint.BEFORE_CLAIM);
		ClaimResult result = this.store.claim(request);
		this.breakpoints.pass(CrashPoint.AFTER_CLAIM);
		return result;
	}

	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		return this.store.renew(claim, lease);
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		this.breakpoints.pass(CrashPoint.BEFORE_RECORD);
		Ownership ownership = this.forgetful ? this.store.release(claim, Release.NO_EFFECT)
				: this.store.complete(claim, outcome, retention);
		this.breakpoints.pass(CrashPoint.AFTER_RECORD);
		return ownership;
	}

	@Override
	public Ownership release(ClaimId claim, Release release) {
		return this.store.release(claim, release);
	}

}

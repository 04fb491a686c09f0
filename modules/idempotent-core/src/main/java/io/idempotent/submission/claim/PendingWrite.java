package io.idempotent.submission.claim;

import java.time.Duration;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.submission.event.WatchedStore;

/** A write to the store about a claim, which has to be repeated. */
sealed interface PendingWrite {

	/** The approximate memory in bytes, without the answer. */
	int OVERHEAD = 300;

	String operation();

	OperationKey key();

	Ownership applyTo(WatchedStore store);

	/** In bytes, while it waits to be written. */
	default int size() {
		return OVERHEAD;
	}

	default PendingWrite withoutAnswer() {
		return this;
	}

	/** For messages. */
	default String described() {
		return "operation '" + operation() + "' (key " + key() + ")";
	}

	/**
	 * Tells the store how a claim ended.
	 *
	 * @param lost is called if another owner is found
	 */
	record EndedClaim(ClaimId claim, String operation, End end, Duration retention,
			Runnable lost) implements PendingWrite {

		@Override
		public OperationKey key() {
			return this.claim.key();
		}

		@Override
		public Ownership applyTo(WatchedStore store) {
			return this.end.writeTo(store, this.claim, this.retention);
		}

		@Override
		public int size() {
			return OVERHEAD + ((this.end.outcome() instanceof Outcome.Stored stored) ? stored.answer().length : 0);
		}

		@Override
		public PendingWrite withoutAnswer() {
			return (this.end.outcome() == null) ? this
					: new EndedClaim(this.claim, this.operation, this.end.withoutAnswer(), this.retention, this.lost);
		}

	}

	/**
	 * Withdraws a claim whose reply was lost, under which nothing ran: claims as the same
	 * owner to learn the attempt. Changes no claim of another owner and creates no
	 * record.
	 *
	 * @param again because a claim may have reached the store since, over an abandoned
	 * connection
	 */
	record Withdrawal(ClaimRequest request, String operation, boolean again) implements PendingWrite {

		@Override
		public OperationKey key() {
			return this.request.key();
		}

		@Override
		public Ownership applyTo(WatchedStore store) {
			if (!(store.claimAgain(onlyItsOwn()) instanceof ClaimResult.Granted granted)) {
				return Ownership.LOST;
			}
			// A claim that was taken over leaves the previous attempt's outcome unknown.
			return store.release(this.request.claimId(granted.attempt()),
					granted.tookOver() ? Release.UNKNOWN : Release.NO_EFFECT);
		}

		private ClaimRequest onlyItsOwn() {
			return new ClaimRequest(this.request.key(), this.request.owner(), this.request.fingerprint(),
					this.request.lease(), Submission.beyondLease(this.request.lease(), this.request.retention()),
					ClaimRequest.Admission.ISSUED, ClaimRequest.Lapsed.LEAVE, ClaimRequest.Term.LEASED, false, false,
					this.request.origin());
		}

	}

}

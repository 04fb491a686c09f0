package io.idempotent.submission.claim;

import java.time.Duration;

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

	/** Throws if the store does not accept it. */
	void applyTo(WatchedStore store);

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

	/** Tells the store how a claim ended. The claim is renewed until then. */
	record EndedClaim(Claim claim, End end, Duration retention) implements PendingWrite {

		@Override
		public String operation() {
			return this.claim.operation();
		}

		@Override
		public OperationKey key() {
			return this.claim.key();
		}

		@Override
		public void applyTo(WatchedStore store) {
			Ownership ownership = this.end.writeTo(store, this.claim.id(), this.retention);
			// A release whose reply was lost finds nothing to release.
			this.claim.recorded(this.end, (this.end.outcome() != null) ? ownership : Ownership.HELD);
		}

		@Override
		public int size() {
			return OVERHEAD + ((this.end.stored() instanceof Outcome.Stored answer) ? answer.answer().length : 0);
		}

		@Override
		public PendingWrite withoutAnswer() {
			return new EndedClaim(this.claim, this.claim.withoutAnswer(this.end), this.retention);
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
		public void applyTo(WatchedStore store) {
			if (store.claimAgain(onlyItsOwn()) instanceof ClaimResult.Granted granted) {
				// A claim that was taken over leaves the previous attempt's outcome
				// unknown.
				store.release(this.request.claimId(granted.attempt()),
						granted.tookOver() ? Release.UNKNOWN : Release.NO_EFFECT);
			}
		}

		private ClaimRequest onlyItsOwn() {
			return new ClaimRequest(this.request.key(), this.request.owner(), this.request.fingerprint(),
					this.request.lease(), Submission.beyondLease(this.request.lease(), this.request.retention()),
					ClaimRequest.Admission.ISSUED, ClaimRequest.Lapsed.LEAVE, ClaimRequest.Term.LEASED, false, false,
					this.request.origin());
		}

	}

}

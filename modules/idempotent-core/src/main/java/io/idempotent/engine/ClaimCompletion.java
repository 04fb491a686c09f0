package io.idempotent.engine;

import java.time.Duration;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.Outcome;
import io.idempotent.store.Ownership;
import io.idempotent.store.Release;

/**
 * How a claim ends: what is written to the store.
 */
sealed interface ClaimCompletion {

	/**
	 * Writes it to the store.
	 * @param store the store
	 * @param claim the claim
	 * @return whether the claim was still the owner's
	 */
	Ownership applyTo(IdempotencyStore store, ClaimId claim);

	/**
	 * The memory that it takes while it waits to be written.
	 * @return the number of bytes of the answer
	 */
	default int size() {
		return 0;
	}

	record Completed(Outcome outcome, Duration retention) implements ClaimCompletion {

		@Override
		public Ownership applyTo(IdempotencyStore store, ClaimId claim) {
			return store.complete(claim, this.outcome, this.retention);
		}

		@Override
		public int size() {
			return (this.outcome instanceof Outcome.Stored stored) ? stored.answer().length : 0;
		}

		Completed withoutAnswer() {
			return new Completed(Outcome.TOMBSTONE, this.retention);
		}

	}

	record Released(Release release) implements ClaimCompletion {

		@Override
		public Ownership applyTo(IdempotencyStore store, ClaimId claim) {
			return store.release(claim, this.release);
		}

	}

	/**
	 * Withdraws a claim whose reply was lost, so that its attempt is unknown. It claims
	 * once more as the same owner to learn the attempt. Claims of other owners are not
	 * changed, and no record is created.
	 *
	 * @param request the request of the lost claim
	 * @param again whether this is the second withdrawal: a claim that had not reached
	 * the store at the first one may have reached it since, over an abandoned connection
	 */
	record Withdrawn(ClaimRequest request, boolean again) implements ClaimCompletion {

		@Override
		public Ownership applyTo(IdempotencyStore store, ClaimId claim) {
			ClaimResult found = (store instanceof StoreOutage watched) ? watched.findLost(onlyItsOwn())
					: store.claim(onlyItsOwn());
			if (!(found instanceof ClaimResult.Granted granted)) {
				return Ownership.LOST;
			}
			ClaimId confirmed = new ClaimId(claim.key(), claim.owner(), claim.fingerprint(), granted.attempt());
			// A claim that was taken over leaves the outcome of the previous attempt
			// unknown.
			return store.release(confirmed, granted.tookOver() ? Release.UNKNOWN : Release.NO_EFFECT);
		}

		private ClaimRequest onlyItsOwn() {
			return new ClaimRequest(this.request.key(), this.request.owner(), this.request.fingerprint(),
					this.request.lease(), this.request.retention(), ClaimRequest.Admission.ISSUED,
					ClaimRequest.Lapsed.LEAVE, ClaimRequest.Term.LEASED, false, this.request.origin());
		}

	}

}

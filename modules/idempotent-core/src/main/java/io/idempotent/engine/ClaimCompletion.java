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
 * An owner's last word on its claim.
 */
sealed interface ClaimCompletion {

	/**
	 * Says it to the store.
	 * @param store the store
	 * @param claim the claim
	 * @return what it met
	 */
	Ownership applyTo(IdempotencyStore store, ClaimId claim);

	/**
	 * How many bytes it takes to keep the word for later.
	 * @return the bytes of the answer
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
	 * Takes back a claim whose reply was never heard, so that its attempt is not known.
	 * The same owner is told by claiming once more; nobody else's claim is touched, and a
	 * key that has no record gets none.
	 *
	 * @param request the claim
	 * @param again whether it was withdrawn before: a claim that had not reached the
	 * store by then may have reached it since, over a connection that was given up
	 */
	record Withdrawn(ClaimRequest request, boolean again) implements ClaimCompletion {

		@Override
		public Ownership applyTo(IdempotencyStore store, ClaimId claim) {
			if (!(store.claim(onlyItsOwn()) instanceof ClaimResult.Granted granted)) {
				return Ownership.LOST;
			}
			ClaimId heard = new ClaimId(claim.key(), claim.owner(), claim.fingerprint(), granted.attempt());
			// What the attempt before it did is as unknown as ever.
			return store.release(heard, granted.tookOver() ? Release.UNKNOWN : Release.NO_EFFECT);
		}

		private ClaimRequest onlyItsOwn() {
			return new ClaimRequest(this.request.key(), this.request.owner(), this.request.fingerprint(),
					this.request.lease(), this.request.retention(), ClaimRequest.Admission.ISSUED,
					ClaimRequest.Lapsed.LEAVE, ClaimRequest.Term.LEASED, false);
		}

	}

}

package io.idempotent.store;

import java.time.Duration;

/**
 * An owner's last word on its claim.
 */
sealed interface EndOfClaim {

	/**
	 * Says it to the store.
	 * @param store the store
	 * @param claim the claim
	 * @return what it met
	 */
	Ownership sayTo(IdempotencyStore store, ClaimId claim);

	/**
	 * How many bytes it takes to keep the word for later.
	 * @return the bytes of the answer
	 */
	default int size() {
		return 0;
	}

	record Completed(Outcome outcome, Duration retention) implements EndOfClaim {

		@Override
		public Ownership sayTo(IdempotencyStore store, ClaimId claim) {
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

	record Released(Release release) implements EndOfClaim {

		@Override
		public Ownership sayTo(IdempotencyStore store, ClaimId claim) {
			return store.release(claim, this.release);
		}

	}

}

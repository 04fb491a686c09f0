package io.idempotent.submission.receipt;

import io.idempotent.store.Outcome;

/**
 * What an attempt knows of its receipt at one moment.
 *
 * @param kept what was committed with the receipt
 * @param outcome what is to be committed with it
 */
record KnownReceipt(State state, Outcome kept, Outcome outcome, Observed observed) {

	static final KnownReceipt NOTHING = new KnownReceipt(State.NOTHING, Outcome.TOMBSTONE, Outcome.TOMBSTONE,
			Observed.NOTHING);

	/** By the attempt's own transactions, then by a look-up. */
	enum State {

		NOTHING,

		/** No receipt was found, of any attempt. */
		ABSENT,

		/** A commit that includes the receipt failed, or only its reply was lost. */
		IN_DOUBT,

		/** No receipt was found after a doubt: its commit may still arrive. */
		ABSENT_AFTER_DOUBT,

		/** The receipt was found after a doubt. */
		FOUND_AFTER_DOUBT,

		/** The receipt was committed, together with an effect. */
		COMMITTED,

		/** Another receipt existed before: this attempt can commit nothing. */
		EARLIER_EFFECT,

		/** The same, by another submission with the same key. */
		REUSED;

		/** Also once the receipt is found: the operation could not know of its effect. */
		boolean isInDoubt() {
			return this == IN_DOUBT || this == FOUND_AFTER_DOUBT;
		}

		boolean mayStillCommit() {
			return isInDoubt() || this == ABSENT_AFTER_DOUBT;
		}

		boolean isAbsent() {
			return this == ABSENT || this == ABSENT_AFTER_DOUBT;
		}

		boolean hasEarlierEffect() {
			return this == EARLIER_EFFECT || this == REUSED;
		}

		/** What was not there when it was looked up, may come while the attempt runs. */
		State unlessAbsent() {
			return (this == ABSENT) ? NOTHING : (this == ABSENT_AFTER_DOUBT) ? IN_DOUBT : this;
		}

	}

	/** What was observed of the transactions; each outweighs those before. */
	enum Observed {

		NOTHING, UNGUARDED, GUARDED, EXEMPT

	}

}

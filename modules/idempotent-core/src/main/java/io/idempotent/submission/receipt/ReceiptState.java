package io.idempotent.submission.receipt;

import io.idempotent.store.ClaimId;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt knows of the receipt of its operation: from its own transactions, or
 * from a look-up. A transition that does not apply to a state returns that state.
 */
enum ReceiptState {

	/** Nothing. */
	NOTHING,

	/** A look-up found no receipt, of any attempt. */
	ABSENT,

	/** A commit with the receipt was not confirmed: it failed, or its reply was lost. */
	IN_DOUBT,

	/** As {@link #IN_DOUBT}, and a look-up found no receipt: it may still arrive. */
	ABSENT_AFTER_DOUBT,

	/**
	 * As {@link #IN_DOUBT}, and a look-up found the receipt: the attempt took effect,
	 * which its code could not know.
	 */
	FOUND_AFTER_DOUBT,

	/** The attempt has committed the receipt, together with an effect. */
	COMMITTED,

	/** There is a receipt of an earlier effect: this attempt can commit nothing. */
	EARLIER_EFFECT,

	/** The same, of another submission with the same key. */
	REUSED;

	/** A commit was not confirmed, whatever a look-up has shown since. */
	boolean isUnconfirmed() {
		return this == IN_DOUBT || this == ABSENT_AFTER_DOUBT || this == FOUND_AFTER_DOUBT;
	}

	boolean isAbsent() {
		return this == ABSENT || this == ABSENT_AFTER_DOUBT;
	}

	boolean hasEarlierEffect() {
		return this == EARLIER_EFFECT || this == REUSED;
	}

	/** What was submitted took effect, in this attempt or in an earlier one. */
	boolean provesEffect() {
		return this == COMMITTED || this == FOUND_AFTER_DOUBT || this == EARLIER_EFFECT;
	}

	/** What a look-up has not found may come while the attempt runs. */
	ReceiptState running() {
		return (this == ABSENT) ? NOTHING : (this == ABSENT_AFTER_DOUBT) ? IN_DOUBT : this;
	}

	ReceiptState committed() {
		return hasEarlierEffect() ? this : COMMITTED;
	}

	/** Not if another transaction of the attempt has shown the outcome. */
	ReceiptState inDoubt() {
		return (this == NOTHING || isAbsent()) ? IN_DOUBT : this;
	}

	ReceiptState notCommitted() {
		return isUnconfirmed() ? NOTHING : this;
	}

	ReceiptState refused() {
		return hasEarlierEffect() ? this : EARLIER_EFFECT;
	}

	/** Shows how a commit in doubt ended, and whether there is an earlier effect. */
	ReceiptState lookedUp(Receipts.@Nullable Receipt found, ClaimId attempt) {
		if (found == null) {
			return (this == NOTHING) ? ABSENT : isUnconfirmed() ? ABSENT_AFTER_DOUBT : this;
		}
		if (found.owner().equals(attempt.owner())) {
			return isUnconfirmed() ? FOUND_AFTER_DOUBT : this;
		}
		boolean same = found.mayBeOf(attempt.key(), attempt.fingerprint());
		return (this == COMMITTED) ? this : same ? EARLIER_EFFECT : REUSED;
	}

}

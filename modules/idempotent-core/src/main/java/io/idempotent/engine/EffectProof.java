package io.idempotent.engine;

import java.util.Optional;

import io.idempotent.store.Outcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The proof that the operation of one claim took effect: before the claim was granted, in
 * this attempt, or, as the receipt shows, in another attempt.
 */
final class EffectProof {

	private static final Log logger = LogFactory.getLog(EffectProof.class);

	private final @Nullable EffectStatus effect;

	private final @Nullable Receipts receipts;

	private volatile @Nullable Outcome before;

	EffectProof(@Nullable EffectStatus effect, @Nullable Receipts receipts) {
		this.effect = effect;
		this.receipts = receipts;
	}

	/**
	 * It took effect before the claim was granted.
	 * @param outcome its outcome
	 */
	void tookEffectBefore(Outcome outcome) {
		this.before = outcome;
	}

	/**
	 * Whether it is known to have taken effect, without looking up the receipt.
	 */
	boolean exists() {
		EffectStatus own = this.effect;
		return this.before != null || (own != null && (own.isCommitted() || own.isDuplicate()));
	}

	/**
	 * The effect of an attempt that left no receipt and had no transaction on the guarded
	 * database, although it should have left one.
	 * @return the effect, or {@code null} if no receipt is missing
	 */
	@Nullable EffectStatus effectWithoutReceipt() {
		EffectStatus own = this.effect;
		return (own != null && this.receipts != null && !exists() && !own.isInDoubt()
				&& !own.transactions().hasGuarded()) ? own : null;
	}

	/**
	 * Finds out whether it took effect; looks up the receipt, unless that is known
	 * already. Blocks for one statement at most.
	 * @return what is known
	 */
	Finding find() {
		Outcome earlier = this.before;
		if (earlier != null) {
			return new Finding.Done(earlier);
		}
		EffectStatus own = this.effect;
		if (own == null || this.receipts == null) {
			return Finding.NOTHING;
		}
		if (own.isCommitted()) {
			return new Finding.Done(own.kept());
		}
		return own.isSearched() ? Finding.NOTHING : find(own, this.receipts);
	}

	private static Finding find(EffectStatus own, Receipts receipts) {
		try {
			Optional<Receipts.Receipt> found = receipts.find(own.attempt().key());
			if (found.isPresent()) {
				own.found(found.get().owner());
				return new Finding.Done(found.get().outcome());
			}
			own.notFound();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The receipt of " + own.attempt() + " could not be looked up", ex);
		}
		// A duplicate has found a receipt before, even if that is gone by now.
		if (own.isDuplicate()) {
			return new Finding.Done(Outcome.TOMBSTONE);
		}
		return own.isInDoubt() ? Finding.DOUBT : Finding.NOTHING;
	}

	/**
	 * Stores an outcome with the receipt of this attempt, if there is one. Another
	 * attempt has taken the record over and finds the outcome there.
	 * @param outcome the outcome
	 */
	void keep(Outcome outcome) {
		EffectStatus own = this.effect;
		if (own == null || this.receipts == null || !(own.isCommitted() || own.isInDoubt())
				|| !(outcome instanceof Outcome.Stored) || outcome.equals(own.kept())) {
			return;
		}
		try {
			this.receipts.keep(own, outcome);
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The answer of " + own.attempt()
					+ " could not be kept with its receipt: repeats will get no answer", ex);
		}
	}

	/**
	 * Deletes the receipt that this attempt is known to have committed, because the
	 * operation reported that it had no effect. An operation that did not know of its
	 * commit cannot report that: the receipt of a commit in doubt decides.
	 */
	void withdraw() {
		EffectStatus own = this.effect;
		if (this.before != null || own == null || this.receipts == null || !own.isCommitted()) {
			return;
		}
		try {
			this.receipts.withdraw(own);
			own.markWithdrawn();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Operation '" + own.attempt().operation() + "' (key " + own.attempt().key()
					+ ") reported that it took no effect, but its receipt could not be deleted: it is recorded as done",
					ex);
		}
	}

	/**
	 * Whether this attempt may have an effect, although its receipt was not found.
	 * @return whether a commit was in doubt, which may still arrive
	 */
	boolean mayStillCommit() {
		EffectStatus own = this.effect;
		return own != null && own.mayStillCommit();
	}

	/**
	 * What is known of an operation.
	 */
	sealed interface Finding {

		/** It has not taken effect, as far as receipts show. */
		Finding NOTHING = new Unproven(false);

		/** A commit is in doubt, and the receipt could not be looked up. */
		Finding DOUBT = new Unproven(true);

		/**
		 * It took effect.
		 *
		 * @param outcome its outcome
		 */
		record Done(Outcome outcome) implements Finding {
		}

		/**
		 * There is no proof that it did.
		 *
		 * @param inDoubt whether it may have
		 */
		record Unproven(boolean inDoubt) implements Finding {
		}

	}

}

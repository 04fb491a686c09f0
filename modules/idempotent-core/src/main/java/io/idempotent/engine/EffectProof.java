package io.idempotent.engine;

import java.util.Optional;

import io.idempotent.store.Outcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Whether the operation of one claim is known to have taken effect: before the claim was
 * granted, in its own run, or, as the receipt tells, in another attempt.
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
	 * Whether it is known to have taken effect. Asks nobody.
	 * @return whether it is
	 */
	boolean isGiven() {
		EffectStatus own = this.effect;
		return this.before != null || (own != null && (own.isCommitted() || own.isDuplicate()));
	}

	/**
	 * Whether the run ended without a receipt of anybody, and without a guarded
	 * transaction.
	 * @return the effect, or {@code null} if there is nothing to wonder about
	 */
	@Nullable EffectStatus missing() {
		EffectStatus own = this.effect;
		return (own != null && this.receipts != null && !isGiven() && !own.isInDoubt() && !own.tookPart()) ? own : null;
	}

	/**
	 * Asks the receipt, unless the answer is known. Blocks for one statement at most.
	 * @return what is known
	 */
	Finding look() {
		Outcome earlier = this.before;
		if (earlier != null) {
			return new Finding.Done(earlier);
		}
		EffectStatus own = this.effect;
		if (own == null || this.receipts == null) {
			return Finding.NOTHING;
		}
		return own.isCommitted() ? new Finding.Done(own.kept()) : look(own, this.receipts);
	}

	private static Finding look(EffectStatus own, Receipts receipts) {
		try {
			Optional<Receipts.Receipt> found = receipts.find(own.key());
			if (found.isPresent()) {
				return new Finding.Done(found.get().outcome());
			}
			own.notCommitted();
		}
		catch (RuntimeException | Error ex) {
			logger.warn(
					"The receipt of operation '" + own.operation() + "' (key " + own.key() + ") could not be looked up",
					ex);
		}
		// A duplicate has met a receipt, whatever became of that.
		if (own.isDuplicate()) {
			return new Finding.Done(Outcome.TOMBSTONE);
		}
		return own.isInDoubt() ? Finding.DOUBT : Finding.NOTHING;
	}

	/**
	 * Keeps an outcome with the receipt of this run, if there is one: the record has
	 * passed to another attempt, which finds it there.
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
			logger.warn("The answer of operation '" + own.operation() + "' (key " + own.key()
					+ ") could not be kept with its receipt: repeats will get no answer", ex);
		}
	}

	/**
	 * Takes back the receipt of this run, which says that it had no effect.
	 * @return whether there is none of this run any more
	 */
	boolean withdraw() {
		EffectStatus own = this.effect;
		if (this.before != null || own == null || this.receipts == null || own.isDuplicate()) {
			return false;
		}
		if (!own.isCommitted() && !own.isInDoubt()) {
			return true;
		}
		try {
			this.receipts.withdraw(own);
			own.withdrawn();
			return true;
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Operation '" + own.operation() + "' (key " + own.key()
					+ ") reported that it took no effect, but its receipt could not be deleted: it is recorded as "
					+ (own.isCommitted() ? "done" : "unknown"), ex);
			return false;
		}
	}

	/**
	 * What is known of an operation.
	 */
	sealed interface Finding {

		/** It has not taken effect, as far as receipts tell. */
		Finding NOTHING = new Unproven(false);

		/** A commit was in doubt, and the receipt cannot be asked. */
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

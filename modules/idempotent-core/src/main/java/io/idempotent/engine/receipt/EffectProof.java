package io.idempotent.engine.receipt;

import java.util.Optional;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.Outcome;
import io.idempotent.transaction.TransactionOutcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Answers whether one attempt took effect: by what was observed of its transactions, or
 * else by its receipt. Safe for use by several threads.
 */
public final class EffectProof {

	/** For an attempt that leaves no receipt. */
	public static final EffectProof NONE = new EffectProof(null, null);

	private static final Log logger = LogFactory.getLog(EffectProof.class);

	private final @Nullable Effect effect;

	private final @Nullable Receipts receipts;

	EffectProof(@Nullable Effect effect, @Nullable Receipts receipts) {
		this.effect = effect;
		this.receipts = receipts;
	}

	/** {@code null} if the attempt leaves no receipt. */
	public @Nullable Effect effect() {
		return this.effect;
	}

	/** Rolls back guarded transactions if another attempt has taken effect. */
	public <T extends @Nullable Object, X extends Throwable> T execute(ThrowingSupplier<T, X> work) throws X {
		if (this.effect == null || this.receipts == null) {
			return work.get();
		}
		this.effect.begins();
		return this.receipts.execute(this.effect, work);
	}

	/**
	 * The open transaction, within {@link #execute}, decides on the operation. Called
	 * again where code is retried.
	 */
	public void decidedByOpenTransaction() {
		if (this.effect != null && this.receipts != null) {
			this.effect.decidedBy(this.receipts.join(this.effect));
		}
	}

	/** Makes the open transaction part of the operation, without deciding on it. */
	public void join() {
		if (this.effect != null && this.receipts != null) {
			this.receipts.join(this.effect);
		}
	}

	/**
	 * The outcome of the guarded transaction in which the operation's own code began,
	 * which decides on the operation; {@code null} if there was none that may write.
	 */
	public @Nullable TransactionOutcome bodyOutcome() {
		return (this.effect != null) ? this.effect.bodyOutcome() : null;
	}

	/**
	 * Whether the body began in a guarded transaction that may not write; if it throws,
	 * it has had no effect.
	 */
	public boolean bodyOnlyReads() {
		return this.effect != null && this.effect.bodyOnlyReads();
	}

	/** Stores an outcome with the receipt, while the transaction is still open. */
	public void commitsWith(Outcome known) {
		if (this.effect != null) {
			this.effect.outcome(known);
		}
	}

	/** Asks no database. */
	public boolean isCommitted() {
		return this.effect != null && this.effect.isCommitted();
	}

	/** Asks no database. */
	public boolean isInDoubt() {
		return this.effect != null && this.effect.isInDoubt();
	}

	/** Whether an earlier effect caused a rollback. Asks no database. */
	public boolean isDuplicate() {
		return this.effect != null && this.effect.isDuplicate();
	}

	public void markInDoubt() {
		if (this.effect != null) {
			this.effect.markInDoubt();
		}
	}

	/** Whether the effect found is of other content with the same key. */
	public boolean isReused() {
		return this.effect != null && this.effect.isReused();
	}

	/** Whether any attempt is known to have taken effect. Asks no database. */
	public boolean exists() {
		return isCommitted() || isDuplicate();
	}

	/** Whether a commit in doubt may still arrive, although no receipt was found. */
	public boolean mayStillCommit() {
		return this.effect != null && this.effect.mayStillCommit();
	}

	/** The attempt leaves no receipt, whatever it commits from now on. */
	public void exempt() {
		if (this.effect != null) {
			this.effect.exempt();
		}
	}

	/** Whether an attempt that succeeded should have left a receipt, and left none. */
	boolean isMissing() {
		return this.effect != null && !exists() && !isInDoubt() && !this.effect.hasGuarded() && !this.effect.isExempt();
	}

	/**
	 * Whether another attempt took effect, so that a failure of this one is not the
	 * answer. Looks up the receipt if that is not known.
	 */
	public boolean findDuplicate() {
		if (!isDuplicate()) {
			find();
		}
		return isDuplicate();
	}

	/**
	 * The outcome of any attempt that took effect. Blocks for one statement if the
	 * receipt is looked up. If nothing is found, a commit {@link #isInDoubt in doubt}
	 * remains so only if the lookup failed.
	 */
	public @Nullable Outcome find() {
		Effect own = this.effect;
		if (own == null || this.receipts == null) {
			return null;
		}
		if (own.isCommitted()) {
			return own.kept();
		}
		return own.isSearched() ? null : find(own, this.receipts);
	}

	private static @Nullable Outcome find(Effect own, Receipts receipts) {
		try {
			Optional<Receipts.Receipt> found = receipts.find(own.attempt().key());
			if (found.isPresent()) {
				own.found(found.get());
				return own.isReused() ? null : found.get().outcome();
			}
			own.notFound();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The receipt of " + own.attempt() + " could not be looked up", ex);
		}
		// A duplicate has found a receipt, even if that has been deleted meanwhile.
		return own.isDuplicate() ? Outcome.TOMBSTONE : null;
	}

	/** For another attempt that has taken the record over: it finds the outcome there. */
	public void keep(Outcome outcome) {
		Effect own = this.effect;
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
	 * Deletes the receipt of an operation that reported no effect; not that of a commit
	 * in doubt, of which the operation could not know.
	 */
	public void withdraw() {
		Effect own = this.effect;
		if (own == null || this.receipts == null || !own.isCommitted()) {
			return;
		}
		try {
			this.receipts.withdraw(own);
			own.markWithdrawn();
			logger.info("Operation '" + own.attempt().operation() + "' (key " + own.attempt().key()
					+ ") reported that it took no effect, as by a 4xx response, after a commit: its receipt was deleted, "
					+ "and the next submission runs it again");
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Operation '" + own.attempt().operation() + "' (key " + own.attempt().key()
					+ ") reported that it took no effect, but its receipt could not be deleted: it is recorded as done",
					ex);
		}
	}

}

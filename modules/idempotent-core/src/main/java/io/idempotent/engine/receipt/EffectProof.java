package io.idempotent.engine.receipt;

import java.util.Optional;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.Outcome;
import io.idempotent.transaction.TransactionOutcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Answers whether one attempt of an operation took effect: by what was observed of its
 * transactions, and where that is not enough by its receipt. Of an attempt that leaves no
 * receipt nothing is known. Safe for use by several threads.
 */
public final class EffectProof {

	/** Of an attempt that leaves no receipt. */
	public static final EffectProof NONE = new EffectProof(null, null);

	private static final Log logger = LogFactory.getLog(EffectProof.class);

	private final @Nullable Effect effect;

	private final @Nullable Receipts receipts;

	EffectProof(@Nullable Effect effect, @Nullable Receipts receipts) {
		this.effect = effect;
		this.receipts = receipts;
	}

	/**
	 * What was observed, or {@code null} if the attempt leaves no receipt.
	 */
	public @Nullable Effect effect() {
		return this.effect;
	}

	/**
	 * Runs a part of the operation. Its transactions on the guarded database are rolled
	 * back if another attempt has taken effect before.
	 * @param <T> the type of its result
	 * @param <X> the type of exception it throws
	 * @param work the part
	 * @throws X if it throws
	 */
	public <T extends @Nullable Object, X extends Throwable> T execute(ThrowingSupplier<T, X> work) throws X {
		if (this.effect == null || this.receipts == null) {
			return work.get();
		}
		this.effect.begins();
		return this.receipts.execute(this.effect, work);
	}

	/**
	 * The operation's own code begins, within {@link #execute}: the open transaction
	 * decides on the operation. Called again where that code is retried.
	 */
	public void bodyBegins() {
		if (this.effect != null && this.receipts != null) {
			this.effect.bodyBegins(this.receipts.join(this.effect));
		}
	}

	/**
	 * Makes the open transaction of this thread part of the operation, within
	 * {@link #execute}, without letting it decide on the operation.
	 */
	public void join() {
		if (this.effect != null && this.receipts != null) {
			this.receipts.join(this.effect);
		}
	}

	/**
	 * The outcome of the transaction on the guarded database in which the operation's own
	 * code began. It decides on the operation, whatever other transactions do.
	 * @return the outcome, or {@code null} if there was none that may write
	 */
	public @Nullable TransactionOutcome bodyOutcome() {
		return (this.effect != null) ? this.effect.bodyOutcome() : null;
	}

	/**
	 * Whether the operation's own code began in a read-only transaction on the guarded
	 * database, so that the operation has had no effect if it throws.
	 */
	public boolean bodyOnlyReads() {
		return this.effect != null && this.effect.bodyOnlyReads();
	}

	/**
	 * Stores an outcome with the receipt, while the transaction of the operation is still
	 * open.
	 * @param known the outcome
	 */
	public void commitsWith(Outcome known) {
		if (this.effect != null) {
			this.effect.outcome(known);
		}
	}

	/**
	 * Whether this attempt has certainly committed its receipt. Asks no database.
	 */
	public boolean isCommitted() {
		return this.effect != null && this.effect.isCommitted();
	}

	/**
	 * Whether a commit of this attempt is in doubt. Asks no database.
	 */
	public boolean isInDoubt() {
		return this.effect != null && this.effect.isInDoubt();
	}

	/**
	 * Whether a transaction of this attempt was rolled back, because the operation had
	 * taken effect before. Asks no database.
	 */
	public boolean isDuplicate() {
		return this.effect != null && this.effect.isDuplicate();
	}

	/**
	 * A commit of this attempt is in doubt.
	 */
	public void markInDoubt() {
		if (this.effect != null) {
			this.effect.markInDoubt();
		}
	}

	/**
	 * Whether the operation is known to have taken effect. Asks no database.
	 */
	public boolean exists() {
		return isCommitted() || isDuplicate();
	}

	/**
	 * Whether this attempt may have an effect, although its receipt was not found: a
	 * commit was in doubt, which may still arrive.
	 */
	public boolean mayStillCommit() {
		return this.effect != null && this.effect.mayStillCommit();
	}

	/**
	 * Whether an attempt that succeeded should have left a receipt, and left none.
	 */
	boolean isMissing() {
		return this.effect != null && !exists() && !isInDoubt() && !this.effect.hasGuarded();
	}

	/**
	 * Whether the operation has taken effect in another attempt, so that a failure of
	 * this one is not its answer. Looks up the receipt if that is not known.
	 */
	public boolean findDuplicate() {
		if (!isDuplicate()) {
			find();
		}
		return isDuplicate();
	}

	/**
	 * Finds out whether the operation took effect, in this attempt or another one; looks
	 * up the receipt, unless that is known already. Blocks for one statement at most. If
	 * nothing is found, a commit {@link #isInDoubt in doubt} remains so only if the
	 * receipt could not be looked up.
	 * @return its outcome, or {@code null} if there is no proof
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
				own.found(found.get().owner());
				return found.get().outcome();
			}
			own.notFound();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The receipt of " + own.attempt() + " could not be looked up", ex);
		}
		// A duplicate has found a receipt, even if that has been deleted meanwhile.
		return own.isDuplicate() ? Outcome.TOMBSTONE : null;
	}

	/**
	 * Stores an outcome with the receipt of this attempt, if there is one. Another
	 * attempt has taken the record over and finds the outcome there.
	 * @param outcome the outcome
	 */
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
	 * Deletes the receipt that this attempt is known to have committed, because the
	 * operation reported that it had no effect. An operation that did not know of its
	 * commit cannot report that: the receipt of a commit in doubt decides.
	 */
	public void withdraw() {
		Effect own = this.effect;
		if (own == null || this.receipts == null || !own.isCommitted()) {
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

}

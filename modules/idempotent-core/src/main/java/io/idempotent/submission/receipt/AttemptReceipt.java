package io.idempotent.submission.receipt;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Outcome;
import io.idempotent.submission.event.GateListener.ReceiptEvent;
import io.idempotent.transaction.TransactionScope;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt knows of its receipt, which proves that it took effect in the guarded
 * database: by what {@link Receipts} observe of its transactions, or else by a look-up.
 * Safe for use by several threads: each may commit transactions of the attempt.
 */
public final class AttemptReceipt {

	/** Of an attempt that leaves no receipt: nothing is ever known. */
	public static final AttemptReceipt NONE = new AttemptReceipt();

	private static final Log logger = LogFactory.getLog(AttemptReceipt.class);

	private final @Nullable ClaimId claim;

	private final @Nullable Receipts receipts;

	private final Consumer<ReceiptEvent> listener;

	private volatile Known known = new Known(ReceiptState.NOTHING, Outcome.TOMBSTONE);

	private volatile Transactions transactions = Transactions.NONE;

	private volatile Outcome toCommit = Outcome.TOMBSTONE;

	private volatile boolean failureLogged;

	private AttemptReceipt() {
		this.claim = null;
		this.receipts = null;
		this.listener = (event) -> {
		};
	}

	public AttemptReceipt(ClaimId claim, Receipts receipts, Consumer<ReceiptEvent> listener) {
		this.claim = claim;
		this.receipts = receipts;
		this.listener = listener;
	}

	/** Not of {@link #NONE}. */
	public ClaimId claimId() {
		return Objects.requireNonNull(this.claim);
	}

	/** Rolls back guarded transactions if another attempt has taken effect. */
	public <T extends @Nullable Object, X extends Throwable> T execute(ThrowingSupplier<T, X> work) throws X {
		if (this.receipts == null) {
			return work.get();
		}
		move(ReceiptState::running, null);
		return this.receipts.execute(this, work);
	}

	/**
	 * Makes the open guarded transaction part of the operation, within {@link #execute},
	 * from the returned point on; {@code null} if none is open.
	 */
	public TransactionScope.@Nullable Point join() {
		return (this.receipts != null) ? this.receipts.join(this) : null;
	}

	/** The attempt leaves no receipt, whatever it commits from now on. */
	public void exempt() {
		observe(Transactions.EXEMPT);
	}

	public boolean isExempt() {
		return this.transactions == Transactions.EXEMPT;
	}

	/**
	 * A transaction was on the guarded database, or the attempt counts as one that had
	 * such a transaction: no warning says that it succeeded without a receipt.
	 */
	public void addGuarded() {
		observe(Transactions.GUARDED);
	}

	public void addUnguarded() {
		observe(Transactions.UNGUARDED);
	}

	private synchronized void observe(Transactions more) {
		if (this != NONE && more.compareTo(this.transactions) > 0) {
			this.transactions = more;
		}
	}

	/** Whether all transactions of the attempt were on other resources. */
	public boolean hasOnlyUnguarded() {
		return this.transactions == Transactions.UNGUARDED;
	}

	/** Call while the transaction of the operation is still open. */
	public void commitsWith(Outcome outcome) {
		if (this != NONE) {
			this.toCommit = outcome;
		}
	}

	/** Frees the memory of what was stored with the receipt. */
	public void forgetOutcome() {
		commitsWith(Outcome.TOMBSTONE);
		move(UnaryOperator.identity(), Outcome.TOMBSTONE, null);
	}

	/** To be stored with the receipt: a tombstone unless known before the commit. */
	public Outcome outcomeToCommit() {
		return this.toCommit;
	}

	/** What this attempt has stored with the receipt; a tombstone if nothing is known. */
	public Outcome committedOutcome() {
		return this.known.committed();
	}

	/** Whether this attempt has committed the receipt, as its transaction reported. */
	public boolean isCommitted() {
		return this.known.state() == ReceiptState.COMMITTED;
	}

	/** Whether a commit was not confirmed, and no look-up has shown how it ended. */
	public boolean isInDoubt() {
		return this.known.state() == ReceiptState.IN_DOUBT;
	}

	/**
	 * Whether a commit was not confirmed, whatever a look-up has shown since: without a
	 * receipt it may still arrive, with one the operation could not know of its effect.
	 */
	public boolean isUnconfirmed() {
		return this.known.state().isUnconfirmed();
	}

	/**
	 * Whether this attempt can commit nothing, because a look-up or a transaction, which
	 * was rolled back, met an earlier effect: of another attempt or of another submission
	 * with the same key, or of this attempt by a commit that was not confirmed.
	 */
	public boolean hasEarlierEffect() {
		return this.known.state().hasEarlierEffect();
	}

	/** Whether the receipt found is of other content with the same key. */
	public boolean isReused() {
		return this.known.state() == ReceiptState.REUSED;
	}

	/** Whether a receipt is known, of any attempt or content. Asks no database. */
	public boolean exists() {
		return isReused() || this.known.state().provesEffect();
	}

	/** Whether an attempt that succeeded should have left a receipt, and left none. */
	boolean isMissing() {
		return this != NONE && !exists() && !isUnconfirmed() && this.transactions.compareTo(Transactions.GUARDED) < 0;
	}

	/** Ignored after an earlier effect, for which a transaction was rolled back. */
	public void markCommitted(Outcome stored) {
		move(ReceiptState::committed, stored, ReceiptEvent.WRITTEN);
	}

	/** No receipt existed when another one was inserted: the doubted commit failed. */
	public void markNotCommitted() {
		move(ReceiptState::notCommitted, null);
	}

	/** Ignored if another transaction of the attempt has shown the outcome. */
	public void markInDoubt() {
		move(ReceiptState::inDoubt, null);
	}

	public void markEarlierEffect() {
		move(ReceiptState::refused, ReceiptEvent.REFUSED);
	}

	/**
	 * Whether there is an earlier effect, so that a failure of this attempt is not the
	 * answer. Looks up the receipt if that is not known.
	 */
	public boolean findEarlierEffect() {
		if (!hasEarlierEffect()) {
			find();
		}
		return hasEarlierEffect();
	}

	/**
	 * The outcome of any attempt that took effect. Blocks for one statement if the
	 * receipt is looked up. If nothing is found, a commit {@link #isInDoubt in doubt}
	 * remains so only if the look-up failed.
	 */
	public @Nullable Outcome find() {
		if (this.receipts == null) {
			return null;
		}
		return isCommitted() ? committedOutcome() : this.known.state().isAbsent() ? null : find(this.receipts);
	}

	private @Nullable Outcome find(Receipts receipts) {
		try {
			Receipts.Receipt found = receipts.find(claimId().key()).orElse(null);
			move((now) -> now.lookedUp(found, claimId()), (found != null) ? ReceiptEvent.RESOLVED : null);
			if (found != null) {
				return isReused() ? null : found.outcome();
			}
		}
		catch (Throwable ex) {
			OperationReceipts.lookUpFailed("The receipt of " + this.claim
					+ " could not be looked up, so that it counts as "
					+ "not found: after a commit in doubt, the outcome is unknown until a repeat finds the receipt, "
					+ "otherwise whenFailed decides", this.failureLogged, ex);
			this.failureLogged = true;
		}
		// A receipt was found before, even if it has been deleted meanwhile.
		return this.known.state().provesEffect() ? committedOutcome() : null;
	}

	/** For another attempt that has taken the record over: it finds the outcome there. */
	public void addOutcome(@Nullable Outcome known) {
		if (this.receipts == null || !(isCommitted() || isUnconfirmed()) || !(known instanceof Outcome.Stored)
				|| known.equals(committedOutcome())) {
			return;
		}
		try {
			this.receipts.addOutcome(this, known);
		}
		catch (Throwable ex) {
			logger.warn(
					"The answer of " + this.claim + " could not be kept with its receipt: repeats will get no answer",
					ex);
		}
	}

	/**
	 * Deletes the receipt of an operation that reported no effect; not that of a commit
	 * in doubt, of which the operation could not know.
	 */
	public void withdraw() {
		if (this.receipts == null || !isCommitted()) {
			return;
		}
		String named = "Operation '" + claimId().operation() + "' (key " + claimId().key()
				+ ") reported that it took no effect";
		try {
			this.receipts.withdraw(this);
			move((now) -> ReceiptState.NOTHING, ReceiptEvent.WITHDRAWN);
			logger.info(named + ", as by a 4xx response, after a commit: its receipt was deleted, "
					+ "and the next submission runs it again");
		}
		catch (Throwable ex) {
			logger.warn(named + ", but its receipt could not be deleted: it is recorded as done", ex);
		}
	}

	private void move(UnaryOperator<ReceiptState> next, @Nullable ReceiptEvent event) {
		move(next, null, event);
	}

	/** What is only known better is no event. */
	private void move(UnaryOperator<ReceiptState> next, @Nullable Outcome stored, @Nullable ReceiptEvent event) {
		if (this == NONE) {
			return;
		}
		ReceiptState before;
		ReceiptState after;
		synchronized (this) {
			before = this.known.state();
			after = next.apply(before);
			this.known = new Known(after, (stored != null) ? stored : this.known.committed());
		}
		if (event != null && !before.hasEarlierEffect() && after != before) {
			this.listener.accept(event);
		}
	}

	/** With what this attempt has stored, a tombstone unless it has committed. */
	private record Known(ReceiptState state, Outcome committed) {

		Known {
			committed = (state == ReceiptState.COMMITTED) ? committed : Outcome.TOMBSTONE;
		}

	}

	/** What was observed of the transactions; each outweighs those before. */
	private enum Transactions {

		NONE, UNGUARDED, GUARDED, EXEMPT

	}

}

package io.idempotent.submission.receipt;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Outcome;
import io.idempotent.submission.event.GateListener.ReceiptEvent;
import io.idempotent.submission.receipt.KnownReceipt.Observed;
import io.idempotent.submission.receipt.KnownReceipt.State;
import io.idempotent.transaction.TransactionOutcome;
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

	/** For a read-only transaction, which decides nothing. */
	public static final Supplier<TransactionOutcome> READ_ONLY = () -> TransactionOutcome.OPEN;

	private static final Log logger = LogFactory.getLog(AttemptReceipt.class);

	private final @Nullable ClaimId claim;

	private final @Nullable Receipts receipts;

	private final Consumer<ReceiptEvent> listener;

	private volatile KnownReceipt known = KnownReceipt.NOTHING;

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
		move(State::unlessAbsent, null);
		return this.receipts.execute(this, work);
	}

	/**
	 * Makes the open transaction part of the operation, within {@link #execute}. Gives
	 * its outcome from here on; {@link #READ_ONLY} if it may not write, {@code null} if
	 * no guarded transaction is open.
	 */
	public @Nullable Supplier<TransactionOutcome> join() {
		return (this.receipts != null) ? this.receipts.join(this) : null;
	}

	/** The attempt leaves no receipt, whatever it commits from now on. */
	public void exempt() {
		observe(Observed.EXEMPT);
	}

	public boolean isExempt() {
		return this.known.observed() == Observed.EXEMPT;
	}

	/** To be stored with the receipt: a tombstone unless known before the commit. */
	public Outcome outcome() {
		return this.known.outcome();
	}

	/** Call while the transaction of the operation is still open. */
	public void commitsWith(Outcome outcome) {
		change((now) -> new KnownReceipt(now.state(), now.kept(), outcome, now.observed()), null);
	}

	/** What was stored with the receipt: a tombstone where it was not known before. */
	public Outcome kept() {
		KnownReceipt now = this.known;
		return (now.state() == State.COMMITTED) ? now.kept() : Outcome.TOMBSTONE;
	}

	public void addGuarded() {
		observe(Observed.GUARDED);
	}

	public void addUnguarded() {
		observe(Observed.UNGUARDED);
	}

	private void observe(Observed more) {
		change((now) -> (more.compareTo(now.observed()) > 0)
				? new KnownReceipt(now.state(), now.kept(), now.outcome(), more) : now, null);
	}

	public boolean isCommitted() {
		return this.known.state() == State.COMMITTED;
	}

	/** Also once the receipt is found: the operation could not know of its effect. */
	public boolean isInDoubt() {
		return this.known.state().isInDoubt();
	}

	/**
	 * Whether a transaction was rolled back, because the operation had taken effect
	 * before: in another attempt, or in this one, by a commit whose reply was lost.
	 */
	public boolean hasEarlierEffect() {
		return this.known.state().hasEarlierEffect();
	}

	/** Not after an earlier effect, for which a transaction was rolled back. */
	public void markCommitted(Outcome stored) {
		change((now) -> now.state().hasEarlierEffect() ? now
				: new KnownReceipt(State.COMMITTED, stored, now.outcome(), now.observed()), ReceiptEvent.WRITTEN);
	}

	/** No receipt existed when another one was inserted: the doubted commit failed. */
	public void markNotCommitted() {
		move((now) -> now.mayStillCommit() ? State.NOTHING : now, null);
	}

	/** Without effect if another transaction of the attempt has shown the outcome. */
	public void markInDoubt() {
		move((now) -> (now == State.NOTHING || now.isAbsent()) ? State.IN_DOUBT : now, null);
	}

	public void markEarlierEffect() {
		move((now) -> now.hasEarlierEffect() ? now : State.EARLIER_EFFECT, ReceiptEvent.REFUSED);
	}

	/** Whether any attempt is known to have taken effect. Asks no database. */
	public boolean exists() {
		return isCommitted() || hasEarlierEffect();
	}

	/** Whether the receipt found is of other content with the same key. */
	public boolean isReused() {
		return this.known.state() == State.REUSED;
	}

	/** Whether a commit in doubt may still arrive, although no receipt was found. */
	public boolean mayStillCommit() {
		return this.known.state().mayStillCommit();
	}

	/** Whether all transactions of the attempt were on other resources. */
	public boolean hasOnlyUnguarded() {
		return this.known.observed() == Observed.UNGUARDED;
	}

	/** Whether an attempt that succeeded should have left a receipt, and left none. */
	boolean isMissing() {
		return this != NONE && !exists() && !isInDoubt() && this.known.observed().compareTo(Observed.GUARDED) < 0;
	}

	/**
	 * Whether another attempt took effect, so that a failure of this one is not the
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
	 * remains so only if the lookup failed.
	 */
	public @Nullable Outcome find() {
		if (this.receipts == null) {
			return null;
		}
		KnownReceipt now = this.known;
		return (now.state() == State.COMMITTED) ? now.kept() : now.state().isAbsent() ? null : find(this.receipts);
	}

	private @Nullable Outcome find(Receipts receipts) {
		try {
			Optional<Receipts.Receipt> found = receipts.find(claimId().key());
			if (found.isPresent()) {
				found(found.get());
				return isReused() ? null : found.get().outcome();
			}
			// A commit in doubt has failed, unless it is still on its way.
			move((now) -> (now == State.NOTHING) ? State.ABSENT : now.isInDoubt() ? State.ABSENT_AFTER_DOUBT : now,
					null);
		}
		catch (RuntimeException | Error ex) {
			OperationReceipts.lookUpFailed("The receipt of " + this.claim
					+ " could not be looked up, so that it counts as "
					+ "not found: after a commit in doubt, the outcome is unknown until a repeat finds the receipt, "
					+ "otherwise whenFailed decides", this.failureLogged, ex);
			this.failureLogged = true;
		}
		// A receipt was found before, even if it has been deleted meanwhile.
		return (this.known.state() == State.EARLIER_EFFECT) ? Outcome.TOMBSTONE : null;
	}

	/** Shows how a commit in doubt ended, and whether another attempt took effect. */
	private void found(Receipts.Receipt receipt) {
		if (receipt.owner().equals(claimId().owner())) {
			move((now) -> now.mayStillCommit() ? State.FOUND_AFTER_DOUBT : now, ReceiptEvent.RESOLVED);
			return;
		}
		boolean same = receipt.mayBeOf(claimId().key(), claimId().fingerprint());
		State earlier = same ? State.EARLIER_EFFECT : State.REUSED;
		move((now) -> (now == State.COMMITTED) ? now : earlier, ReceiptEvent.RESOLVED);
	}

	/** For another attempt that has taken the record over: it finds the outcome there. */
	public void keep(Outcome known) {
		if (this.receipts == null || !(isCommitted() || isInDoubt()) || !(known instanceof Outcome.Stored)
				|| known.equals(kept())) {
			return;
		}
		try {
			this.receipts.keep(this, known);
		}
		catch (RuntimeException | Error ex) {
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
			move((now) -> State.NOTHING, ReceiptEvent.WITHDRAWN);
			logger.info(named + ", as by a 4xx response, after a commit: its receipt was deleted, "
					+ "and the next submission runs it again");
		}
		catch (RuntimeException | Error ex) {
			logger.warn(named + ", but its receipt could not be deleted: it is recorded as done", ex);
		}
	}

	private void move(UnaryOperator<State> next, @Nullable ReceiptEvent event) {
		change((now) -> new KnownReceipt(next.apply(now.state()), now.kept(), now.outcome(), now.observed()), event);
	}

	/** What is only known better is no event. */
	private void change(UnaryOperator<KnownReceipt> next, @Nullable ReceiptEvent event) {
		if (this == NONE) {
			return;
		}
		KnownReceipt before;
		KnownReceipt after;
		synchronized (this) {
			before = this.known;
			after = next.apply(before);
			this.known = after;
		}
		if (event != null && !before.state().hasEarlierEffect() && after.state() != before.state()) {
			this.listener.accept(event);
		}
	}

	@Override
	public String toString() {
		return "Receipt of " + this.claim + ": " + this.known.state();
	}

}

package io.idempotent.engine.receipt;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.idempotent.engine.event.GateListener.ReceiptEvent;
import io.idempotent.store.Outcome;
import io.idempotent.transaction.TransactionOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The effect of one attempt in the guarded database, as {@link Receipts} observe it. Safe
 * for use by several threads: each may commit transactions of the attempt.
 */
public final class Effect {

	/** For a read-only transaction, which decides nothing. */
	public static final Supplier<TransactionOutcome> READ_ONLY = () -> TransactionOutcome.OPEN;

	private enum State {

		NONE,

		/** The receipt was committed, together with an effect. */
		COMMITTED,

		/** A commit that includes the receipt failed, or only its reply was lost. */
		IN_DOUBT,

		/** Another receipt existed before: this attempt can commit nothing. */
		DUPLICATE

	}

	private final OperationAttempt attempt;

	private final Consumer<ReceiptEvent> listener;

	private final Set<Thread> committing = new CopyOnWriteArraySet<>();

	private volatile @Nullable Supplier<TransactionOutcome> body;

	private volatile boolean exempt;

	private volatile boolean guarded;

	private volatile boolean unguarded;

	private volatile State state = State.NONE;

	private volatile boolean doubted;

	private volatile boolean searched;

	private volatile boolean reused;

	private boolean resolved;

	private volatile Outcome outcome = Outcome.TOMBSTONE;

	private volatile Outcome kept = Outcome.TOMBSTONE;

	public Effect(OperationAttempt attempt) {
		this(attempt, (event) -> {
		});
	}

	Effect(OperationAttempt attempt, Consumer<ReceiptEvent> listener) {
		this.attempt = attempt;
		this.listener = listener;
	}

	public OperationAttempt attempt() {
		return this.attempt;
	}

	/** The attempt leaves no receipt, whatever it commits from now on. */
	void exempt() {
		this.exempt = true;
	}

	public boolean isExempt() {
		return this.exempt;
	}

	/** To be stored with the receipt: a tombstone unless known before the commit. */
	public Outcome outcome() {
		return this.outcome;
	}

	/** Call while the transaction of the operation is still open. */
	public void outcome(Outcome known) {
		this.outcome = known;
	}

	/** What was stored with the receipt: a tombstone where it was not known before. */
	public Outcome kept() {
		return this.kept;
	}

	public void addGuarded() {
		this.guarded = true;
	}

	public void addUnguarded() {
		this.unguarded = true;
	}

	/** The thread has written the receipt and commits its transaction now. */
	public void commitBegins(Thread thread) {
		this.committing.add(thread);
	}

	/** The commit of the thread has ended, or was given up. */
	public void commitEnds(Thread thread) {
		this.committing.remove(thread);
	}

	/** If so, another transaction of this thread would wait for ever for the receipt. */
	public boolean isCommittingOnThisThread() {
		return this.committing.contains(Thread.currentThread());
	}

	public boolean isCommitted() {
		return this.state == State.COMMITTED;
	}

	public boolean isInDoubt() {
		return this.state == State.IN_DOUBT;
	}

	/**
	 * Whether a transaction was rolled back, because the operation had taken effect
	 * before: in another attempt, or in this one, by a commit whose reply was lost.
	 */
	public boolean isDuplicate() {
		return this.state == State.DUPLICATE;
	}

	/** A duplicate remains one, since a transaction of this attempt was rolled back. */
	public synchronized void markCommitted(Outcome stored) {
		if (this.state != State.DUPLICATE) {
			// First, since the state is read without the lock.
			this.kept = stored;
			change(State.COMMITTED, ReceiptEvent.WRITTEN);
		}
	}

	/** No receipt existed when another one was inserted: the doubted commit failed. */
	public synchronized void markNotCommitted() {
		if (this.state == State.IN_DOUBT) {
			this.state = State.NONE;
		}
		this.doubted = false;
	}

	/** Without effect if another transaction of the attempt has shown the outcome. */
	public synchronized void markInDoubt() {
		if (this.state == State.NONE) {
			this.state = State.IN_DOUBT;
			this.doubted = true;
		}
	}

	public synchronized void markDuplicate() {
		change(State.DUPLICATE, ReceiptEvent.REFUSED);
	}

	synchronized void markWithdrawn() {
		change(State.NONE, ReceiptEvent.WITHDRAWN);
	}

	/** What was searched for before is out of date. */
	void begins() {
		this.searched = false;
	}

	public void decidedBy(@Nullable Supplier<TransactionOutcome> transaction) {
		this.body = transaction;
	}

	/** {@code null} unless the body began in a transaction that may write. */
	@Nullable TransactionOutcome bodyOutcome() {
		Supplier<TransactionOutcome> transaction = this.body;
		return (transaction != null && transaction != READ_ONLY) ? transaction.get() : null;
	}

	boolean bodyOnlyReads() {
		return this.body == READ_ONLY;
	}

	/** Read-only ones included. */
	boolean hasGuarded() {
		return this.guarded;
	}

	public boolean hasUnguarded() {
		return this.unguarded;
	}

	/** Whether the receipt that was found is of other content with the same key. */
	boolean isReused() {
		return this.reused;
	}

	/** Shows how a commit in doubt ended, and whether another attempt took effect. */
	synchronized void found(Receipts.Receipt receipt) {
		boolean foreign = !receipt.owner().equals(this.attempt.owner());
		this.reused = foreign && !receipt.mayBeOf(this.attempt.key(), this.attempt.fingerprint());
		if (foreign && (this.state == State.NONE || this.state == State.IN_DOUBT)) {
			change(State.DUPLICATE, ReceiptEvent.RESOLVED);
		}
		else if (this.state == State.IN_DOUBT && !this.resolved) {
			this.resolved = true;
			this.listener.accept(ReceiptEvent.RESOLVED);
		}
	}

	/** A commit in doubt has failed, unless it is still on its way to the database. */
	synchronized void notFound() {
		if (this.state == State.IN_DOUBT) {
			this.state = State.NONE;
		}
		this.searched = true;
	}

	/** Whether no effect is known, and the receipt was searched since the last run. */
	boolean isSearched() {
		return this.searched && this.state == State.NONE;
	}

	boolean mayStillCommit() {
		return this.doubted;
	}

	private void change(State next, ReceiptEvent event) {
		if (this.state != next) {
			this.state = next;
			this.listener.accept(event);
		}
	}

	@Override
	public String toString() {
		return "Effect of " + this.attempt + ", attempt " + this.attempt.number() + ": " + this.state;
	}

}

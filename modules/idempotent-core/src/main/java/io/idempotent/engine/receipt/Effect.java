package io.idempotent.engine.receipt;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Supplier;

import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.transaction.TransactionOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The effect of one attempt of an operation in the guarded database, as far as
 * {@link Receipts} observe its transactions. Safe for use by several threads: each of
 * them may commit transactions of the attempt.
 */
public final class Effect {

	/**
	 * What {@link Receipts#join} gives for a read-only transaction: it decides nothing.
	 */
	public static final Supplier<TransactionOutcome> READ_ONLY = () -> TransactionOutcome.OPEN;

	private enum State {

		/** No commit has been observed. */
		NONE,

		/** The receipt was committed, together with an effect. */
		COMMITTED,

		/** A commit that includes the receipt failed, or only its reply was lost. */
		IN_DOUBT,

		/** Another receipt existed before: this attempt can commit nothing. */
		DUPLICATE

	}

	private final OperationAttempt attempt;

	private final ReceiptListener listener;

	private final Set<Thread> committing = new CopyOnWriteArraySet<>();

	private volatile @Nullable Supplier<TransactionOutcome> body;

	private volatile boolean guarded;

	private volatile boolean unguarded;

	private volatile State state = State.NONE;

	private volatile boolean doubted;

	private volatile boolean searched;

	private boolean resolved;

	private volatile Outcome outcome = Outcome.TOMBSTONE;

	private volatile Outcome kept = Outcome.TOMBSTONE;

	/** Creates the effect of an attempt that has not begun. */
	public Effect(OperationAttempt attempt) {
		this(attempt, ReceiptListener.NONE);
	}

	Effect(OperationAttempt attempt, ReceiptListener listener) {
		this.attempt = attempt;
		this.listener = listener;
	}

	/** The attempt. */
	public OperationAttempt attempt() {
		return this.attempt;
	}

	/**
	 * The outcome to be stored with the receipt: a tombstone unless it is known before
	 * the commit.
	 */
	public Outcome outcome() {
		return this.outcome;
	}

	/**
	 * Sets the outcome while the transaction of the operation is still open.
	 * @param known the outcome
	 */
	public void outcome(Outcome known) {
		this.outcome = known;
	}

	/**
	 * The outcome that was stored with the committed receipt: a tombstone where it was
	 * not known before the commit.
	 */
	public Outcome kept() {
		return this.kept;
	}

	/** A transaction on the guarded database belongs to the attempt. */
	public void addGuarded() {
		this.guarded = true;
	}

	/** A transaction on another resource belongs to the attempt. */
	public void addUnguarded() {
		this.unguarded = true;
	}

	/** A thread has written the receipt and commits its transaction now. */
	public void commitBegins(Thread thread) {
		this.committing.add(thread);
	}

	/** The commit of a thread has ended, or was given up. */
	public void commitEnds(Thread thread) {
		this.committing.remove(thread);
	}

	/**
	 * Whether the current thread is committing a transaction that has written the
	 * receipt. Another transaction of this thread that wrote the receipt meanwhile would
	 * wait for the first one for ever.
	 */
	public boolean isCommittingOnThisThread() {
		return this.committing.contains(Thread.currentThread());
	}

	/** Whether this attempt has certainly committed its receipt. */
	public boolean isCommitted() {
		return this.state == State.COMMITTED;
	}

	/**
	 * Whether this attempt may have committed its receipt: a commit failed, or only its
	 * reply was lost.
	 */
	public boolean isInDoubt() {
		return this.state == State.IN_DOUBT;
	}

	/**
	 * Whether the operation had taken effect before this attempt tried to commit, so that
	 * a transaction of this attempt was rolled back: in another attempt, or in this one,
	 * by a commit whose reply was lost.
	 */
	public boolean isDuplicate() {
		return this.state == State.DUPLICATE;
	}

	/**
	 * The receipt was committed. A duplicate remains one, since a transaction of this
	 * attempt was rolled back.
	 * @param stored the outcome that was stored with it
	 */
	public synchronized void markCommitted(Outcome stored) {
		if (this.state != State.DUPLICATE) {
			// First, since the state is read without the lock.
			this.kept = stored;
			change(State.COMMITTED, ReceiptListener.Event.WRITTEN);
		}
	}

	/**
	 * No receipt existed when another one was inserted: the commit that was in doubt has
	 * failed.
	 */
	public synchronized void markNotCommitted() {
		if (this.state == State.IN_DOUBT) {
			this.state = State.NONE;
		}
		this.doubted = false;
	}

	/**
	 * It is unknown whether the receipt was committed. Without effect if another
	 * transaction of the attempt has shown that already.
	 */
	public synchronized void markInDoubt() {
		if (this.state == State.NONE) {
			this.state = State.IN_DOUBT;
			this.doubted = true;
		}
	}

	/** A receipt existed before. */
	public synchronized void markDuplicate() {
		change(State.DUPLICATE, ReceiptListener.Event.REFUSED);
	}

	/** The receipt was deleted, because the operation had no effect. */
	synchronized void markWithdrawn() {
		change(State.NONE, ReceiptListener.Event.WITHDRAWN);
	}

	/**
	 * The operation runs, perhaps again: what was searched for before is out of date.
	 */
	void begins() {
		this.searched = false;
	}

	/**
	 * The operation's own code begins.
	 * @param transaction what {@link Receipts#join} gave
	 */
	public void bodyBegins(@Nullable Supplier<TransactionOutcome> transaction) {
		this.body = transaction;
	}

	/**
	 * The outcome of the transaction on the guarded database in which the operation's own
	 * code began, or {@code null} if there was none that may write.
	 */
	@Nullable TransactionOutcome bodyOutcome() {
		Supplier<TransactionOutcome> transaction = this.body;
		return (transaction != null && transaction != READ_ONLY) ? transaction.get() : null;
	}

	/**
	 * Whether the operation's own code began in a read-only transaction on the guarded
	 * database, so that the operation has had no effect if it throws.
	 */
	boolean bodyOnlyReads() {
		return this.body == READ_ONLY;
	}

	/** Whether a transaction on the guarded database, be it read-only, belonged to it. */
	boolean hasGuarded() {
		return this.guarded;
	}

	/** Whether a transaction on another resource belonged to it. */
	public boolean hasUnguarded() {
		return this.unguarded;
	}

	/**
	 * The receipt was found. That shows how a commit ended that was in doubt, and whether
	 * the operation took effect in another attempt.
	 * @param owner the owner of the receipt
	 */
	synchronized void found(Owner owner) {
		boolean foreign = !owner.equals(this.attempt.owner());
		if (foreign && (this.state == State.NONE || this.state == State.IN_DOUBT)) {
			change(State.DUPLICATE, ReceiptListener.Event.RESOLVED);
		}
		else if (this.state == State.IN_DOUBT && !this.resolved) {
			this.resolved = true;
			this.listener.onReceipt(ReceiptListener.Event.RESOLVED);
		}
	}

	/**
	 * No receipt was found. A commit in doubt has failed, unless it is still on its way
	 * to the database.
	 */
	synchronized void notFound() {
		if (this.state == State.IN_DOUBT) {
			this.state = State.NONE;
		}
		this.searched = true;
	}

	/**
	 * Whether nothing is known of an effect, and the receipt was searched for since the
	 * operation has run.
	 */
	boolean isSearched() {
		return this.searched && this.state == State.NONE;
	}

	/**
	 * Whether a commit of this attempt was in doubt, and may still arrive although no
	 * receipt was found.
	 */
	boolean mayStillCommit() {
		return this.doubted;
	}

	private void change(State next, ReceiptListener.Event event) {
		if (this.state != next) {
			this.state = next;
			this.listener.onReceipt(event);
		}
	}

	@Override
	public String toString() {
		return "Effect of " + this.attempt + ", attempt " + this.attempt.number() + ": " + this.state;
	}

}

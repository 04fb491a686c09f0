package io.idempotent.engine;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Supplier;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.transaction.TransactionOutcome;
import org.jspecify.annotations.Nullable;

/**
 * What one run of an operation does to the guarded database, as far as its
 * {@link Receipts receipt} tells. Safe for use by several threads: the transactions of
 * one run may be committed by several.
 */
public final class EffectStatus {

	private enum State {

		/** Nothing was committed. */
		NONE,

		/** Something was committed, and the receipt with it. */
		COMMITTED,

		/** A commit with the receipt failed, or only its reply was lost. */
		IN_DOUBT,

		/** The receipt was there before: this run can commit nothing. */
		DUPLICATE

	}

	private final OperationKey key;

	private final Owner owner;

	private final int attempt;

	private final String operation;

	private volatile State state = State.NONE;

	private volatile Outcome outcome = Outcome.TOMBSTONE;

	private volatile Outcome kept = Outcome.TOMBSTONE;

	private volatile boolean tookPart;

	private volatile boolean elsewhere;

	private final Set<Thread> committing = new CopyOnWriteArraySet<>();

	private volatile @Nullable Supplier<TransactionOutcome> scope;

	/**
	 * Creates the effect of a run that has not begun.
	 * @param key which operation
	 * @param owner who runs it
	 * @param attempt the number of the claim, 0 without one
	 * @param operation the name of the operation
	 */
	public EffectStatus(OperationKey key, Owner owner, int attempt, String operation) {
		this.key = key;
		this.owner = owner;
		this.attempt = attempt;
		this.operation = operation;
	}

	/**
	 * Which operation.
	 * @return the operation key
	 */
	public OperationKey key() {
		return this.key;
	}

	/**
	 * Who runs it.
	 * @return the owner
	 */
	public Owner owner() {
		return this.owner;
	}

	/**
	 * The number of the claim.
	 * @return the attempt, 0 where it runs without a claim
	 */
	public int attempt() {
		return this.attempt;
	}

	/**
	 * What the operation is called.
	 * @return its name
	 */
	public String operation() {
		return this.operation;
	}

	/**
	 * What is to be kept with the receipt.
	 * @return the outcome; a tombstone unless it is known before the commit
	 */
	public Outcome outcome() {
		return this.outcome;
	}

	/**
	 * The operation has come to its outcome, and its transaction is still open.
	 * @param known the outcome
	 */
	public void outcome(Outcome known) {
		this.outcome = known;
	}

	/**
	 * What was kept with the receipt that was committed.
	 * @return the outcome; a tombstone where it was not known before the commit
	 */
	public Outcome kept() {
		return this.kept;
	}

	/**
	 * The operation's own code has begun.
	 * @param guarded what becomes of the guarded transaction that it began in, or
	 * {@code null} if there is none that may write
	 */
	public void begins(@Nullable Supplier<TransactionOutcome> guarded) {
		this.scope = guarded;
	}

	/**
	 * What became of the guarded transaction that the operation's own code began in, from
	 * there on: it decides on the operation, whatever becomes of others.
	 * @return the outcome, or {@code null} if there was none that may write
	 */
	public @Nullable TransactionOutcome scope() {
		Supplier<TransactionOutcome> guarded = this.scope;
		return (guarded != null) ? guarded.get() : null;
	}

	/**
	 * A guarded transaction belongs to the run.
	 */
	public void takesPart() {
		this.tookPart = true;
	}

	/**
	 * Whether a guarded transaction belonged to the run, be it only for reading.
	 * @return whether one did
	 */
	public boolean tookPart() {
		return this.tookPart;
	}

	/**
	 * A transaction belonged to the run that is not on the guarded database.
	 */
	public void elsewhere() {
		this.elsewhere = true;
	}

	/**
	 * Whether a transaction belonged to the run that is not on the guarded database.
	 * @return whether one was seen
	 */
	public boolean wasElsewhere() {
		return this.elsewhere;
	}

	/**
	 * A transaction of a thread has written the receipt and is committed now.
	 * @param thread the thread
	 */
	public void committing(Thread thread) {
		this.committing.add(thread);
	}

	/**
	 * That is over.
	 * @param thread the thread
	 */
	public void noLongerCommitting(Thread thread) {
		this.committing.remove(thread);
	}

	/**
	 * Whether the current thread is committing a transaction that has written the
	 * receipt: another one that wrote it here would wait for itself.
	 * @return whether it is
	 */
	public boolean isCommittingHere() {
		return this.committing.contains(Thread.currentThread());
	}

	/**
	 * Whether something was committed by this run.
	 * @return whether it is certain that there is a receipt of its own
	 */
	public boolean isCommitted() {
		return this.state == State.COMMITTED;
	}

	/**
	 * Whether a commit failed, or only its reply was lost.
	 * @return whether there may be a receipt of its own
	 */
	public boolean isInDoubt() {
		return this.state == State.IN_DOUBT;
	}

	/**
	 * Whether the effect was there before this run wanted to commit it: it is that of
	 * another attempt, or its own, by a commit whose reply was lost.
	 * @return whether what this run wanted to commit was rolled back
	 */
	public boolean isDuplicate() {
		return this.state == State.DUPLICATE;
	}

	/**
	 * The receipt was committed. A duplicate stays one: something of this run was rolled
	 * back.
	 * @param with what was kept with it
	 */
	public synchronized void committed(Outcome with) {
		if (this.state != State.DUPLICATE) {
			this.state = State.COMMITTED;
			this.kept = with;
		}
	}

	/**
	 * There was no receipt when another was inserted: what was in doubt was not
	 * committed.
	 */
	public synchronized void notCommitted() {
		if (this.state == State.IN_DOUBT) {
			this.state = State.NONE;
		}
	}

	/**
	 * It is unknown whether the receipt was committed. Nothing new where that is known
	 * from another transaction of the run.
	 */
	public synchronized void inDoubt() {
		if (this.state == State.NONE) {
			this.state = State.IN_DOUBT;
		}
	}

	/**
	 * The receipt was there before.
	 */
	public synchronized void duplicate() {
		this.state = State.DUPLICATE;
	}

	/**
	 * The receipt was taken back.
	 */
	public synchronized void withdrawn() {
		this.state = State.NONE;
	}

	@Override
	public String toString() {
		return "Effect[" + this.operation + ", " + this.key + ", attempt " + this.attempt + ", " + this.state + "]";
	}

}

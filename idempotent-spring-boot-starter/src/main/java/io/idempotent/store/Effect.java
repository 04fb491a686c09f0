package io.idempotent.store;

/**
 * What one run of an operation does to the guarded database, as far as its
 * {@link Receipts receipt} tells. Safe for use by several threads: the transactions of
 * one run may be committed by several.
 */
public final class Effect {

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

	/**
	 * Creates the effect of a run that has not begun.
	 * @param key which operation
	 * @param owner who runs it
	 * @param attempt the number of the claim, 0 without one
	 * @param operation the name of the operation
	 */
	public Effect(OperationKey key, Owner owner, int attempt, String operation) {
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
	 */
	public synchronized void committed() {
		if (this.state != State.DUPLICATE) {
			this.state = State.COMMITTED;
		}
	}

	/**
	 * Nobody knows whether the receipt was committed. Nothing new where that is known
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

package io.idempotent.engine;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Supplier;

import io.idempotent.transaction.TransactionOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one attempt, as far as {@link Receipts} observe them. Safe for use
 * by several threads: each of them may commit transactions of the attempt.
 */
public final class AttemptTransactions {

	private volatile @Nullable Supplier<TransactionOutcome> body;

	private volatile boolean guarded;

	private volatile boolean unguarded;

	private final Set<Thread> committing = new CopyOnWriteArraySet<>();

	AttemptTransactions() {
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
	 * code began. It decides on the operation, whatever other transactions do.
	 * @return the outcome, or {@code null} if there was none that may write
	 */
	public @Nullable TransactionOutcome bodyOutcome() {
		Supplier<TransactionOutcome> transaction = this.body;
		return (transaction != null && transaction != Receipts.READ_ONLY) ? transaction.get() : null;
	}

	/**
	 * Whether the operation's own code began in a read-only transaction on the guarded
	 * database, so that the operation has had no effect if it throws.
	 */
	public boolean bodyOnlyReads() {
		return this.body == Receipts.READ_ONLY;
	}

	/**
	 * A transaction on the guarded database belongs to the attempt.
	 */
	public void addGuarded() {
		this.guarded = true;
	}

	/**
	 * Whether a transaction on the guarded database belonged to the attempt, be it for
	 * reading only.
	 */
	public boolean hasGuarded() {
		return this.guarded;
	}

	/**
	 * A transaction on another resource than the guarded database belongs to the attempt.
	 */
	public void addUnguarded() {
		this.unguarded = true;
	}

	/**
	 * Whether a transaction on another resource than the guarded database belonged to the
	 * attempt.
	 */
	public boolean hasUnguarded() {
		return this.unguarded;
	}

	/**
	 * A thread has written the receipt and commits its transaction now.
	 * @param thread the thread
	 */
	public void commitBegins(Thread thread) {
		this.committing.add(thread);
	}

	/**
	 * The commit of a thread has ended, or was given up.
	 * @param thread the thread
	 */
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

}

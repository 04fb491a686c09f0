package io.idempotent.transaction;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * One transaction of Spring, from its start to its outcome: its savepoints and rollbacks
 * to them, whether it is suspended, and whether it was committed, rolled back or is in
 * doubt. The outcome is set before any other synchronization is called, so that a
 * callback after the completion finds the transaction completed.
 *
 * <p>
 * {@link ThreadTransactions} finds it. Safe for use by several threads, since JTA may
 * complete a transaction in another one.
 */
public final class ObservedTransaction {

	private final @Nullable TransactionExecution execution;

	/**
	 * The resources it bound when it started, or {@code null} if the start was not
	 * observed.
	 */
	private final @Nullable BoundResources resources;

	private final @Nullable ObservedTransaction outer;

	private final boolean readOnly;

	private final Savepoints savepoints = new Savepoints();

	private final TransactionCallbacks callbacks = new TransactionCallbacks();

	private final Map<Object, Object> attributes = new ConcurrentHashMap<>(2);

	/** The transaction that the next savepoint belongs to, if known. */
	private volatile @Nullable ObservedTransaction savepointIn;

	private volatile boolean detached;

	private volatile boolean committing;

	private volatile boolean rollingBack;

	private volatile boolean ended;

	ObservedTransaction(@Nullable TransactionExecution execution, @Nullable Map<Object, Object> resources,
			boolean readOnly, @Nullable ObservedTransaction outer) {
		this.execution = execution;
		this.resources = (resources != null) ? new BoundResources(resources) : null;
		this.readOnly = readOnly;
		this.outer = outer;
	}

	/**
	 * Its outcome.
	 * @return the outcome, {@link TransactionOutcome#OPEN} until it has completed
	 */
	public TransactionOutcome outcome() {
		return this.callbacks.outcome();
	}

	/**
	 * Whether it is read-only.
	 */
	public boolean isReadOnly() {
		return this.readOnly;
	}

	/**
	 * Whether its start was observed, by a {@link TransactionObserver} among the
	 * listeners of its transaction manager. Otherwise it was found while it was open.
	 */
	public boolean isObservedFromBegin() {
		return this.execution != null;
	}

	/**
	 * Whether this transaction bound the resource to the thread. If its start was not
	 * observed, it is assumed to have bound each resource that no other transaction of
	 * the thread has bound.
	 * @param resource the resource as Spring binds it, such as a {@code DataSource}
	 */
	public boolean isOn(Object resource) {
		if (this.resources != null) {
			return this.resources.containsKey(resource);
		}
		Object bound = ThreadTransactions.bound(resource);
		if (bound == null) {
			return false;
		}
		for (ObservedTransaction each = this.outer; each != null; each = each.outer) {
			if (each.resources != null && each.resources.contains(resource, bound)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Whether it is suspended, so that current work is not part of it. If another
	 * transaction manager has suspended only its synchronizations, it is not.
	 */
	public boolean isSuspended() {
		return this.detached && !holdsItsResources();
	}

	/**
	 * Marks the point that has been reached.
	 */
	public TransactionPoint point() {
		return new TransactionPoint(this, this.savepoints.mark());
	}

	/**
	 * Runs code right before the commit, after all synchronizations, so that no code of
	 * the application runs in between. If the start was not observed, the code runs as
	 * one of the synchronizations. An exception of the code rolls the transaction back.
	 * The code does not run before a rollback.
	 * @param action the code
	 */
	public void beforeCommit(Runnable action) {
		this.callbacks.beforeCommit(action);
	}

	/**
	 * Runs code as soon as the outcome is known, before any other synchronization: after
	 * the commit, or after the completion; at once if the transaction has completed
	 * already. An exception of the code is logged.
	 * @param action the code
	 */
	public void afterCompletion(Runnable action) {
		this.callbacks.afterCompletion(action);
	}

	/**
	 * Returns an attribute of the transaction.
	 * @param key its key
	 * @return the value, or {@code null}
	 */
	public @Nullable Object attribute(Object key) {
		return this.attributes.get(key);
	}

	/**
	 * Returns an attribute of the transaction, and sets it if there is none.
	 * @param key its key
	 * @param value creates the value
	 */
	public Object attribute(Object key, Supplier<?> value) {
		return this.attributes.computeIfAbsent(key, (absent) -> value.get());
	}

	@Override
	public String toString() {
		return "Transaction[" + outcome() + (this.detached ? ", detached" : "") + (this.readOnly ? ", read-only" : "")
				+ "]";
	}

	@Nullable ObservedTransaction outer() {
		return this.outer;
	}

	boolean isThatOf(TransactionExecution of) {
		return this.execution == of;
	}

	/** Whether its synchronizations are called after its completion, or have been. */
	boolean hasEnded() {
		return this.ended;
	}

	/** Whether its synchronizations are suspended. */
	boolean isDetached() {
		return this.detached;
	}

	/** Whether each resource that it bound when it started is still bound. */
	boolean holdsItsResources() {
		return this.resources != null && this.resources.areBound();
	}

	/** Whether it still uses a resource that it bound when it started. */
	boolean isInUse() {
		return this.resources != null && this.resources.isAnyInUse();
	}

	/** Whether it bound the value to some resource when it started. */
	boolean hasBound(Object value) {
		return this.resources != null && this.resources.containsValue(value);
	}

	/**
	 * Names the transaction that the next savepoint belongs to. Spring calls the active
	 * synchronizations, which may be those of a transaction inside of it.
	 * @param owner this transaction or one around it
	 */
	void savepointIn(ObservedTransaction owner) {
		this.savepointIn = owner;
	}

	Savepoints savepoints() {
		return this.savepoints;
	}

	/** Whether it supports savepoints, or may, if that is not known. */
	boolean hasSavepoints() {
		return !(this.execution instanceof DefaultTransactionStatus status) || status.isTransactionSavepointManager();
	}

	/** The commit is observed only if the start was. */
	List<TransactionSynchronization> synchronizations() {
		return isObservedFromBegin() ? List.of(new FirstSynchronization())
				: List.of(new FirstSynchronization(), new LastSynchronization());
	}

	/** Runs the actions before the commit; a second call runs nothing. */
	void runBeforeCommit() {
		this.callbacks.runBeforeCommit();
		this.committing = true;
	}

	void rollsBack() {
		this.rollingBack = true;
	}

	/**
	 * Its outcome. Spring takes a {@code TransactionException} of any callback before the
	 * commit for a failure of the commit itself, and does not roll back. Resetting the
	 * connection would then commit the transaction without the writes of actions before
	 * the commit.
	 */
	private TransactionOutcome outcome(int status) {
		if (status == TransactionSynchronization.STATUS_COMMITTED) {
			return TransactionOutcome.COMMITTED;
		}
		TransactionOutcome reported = (status == TransactionSynchronization.STATUS_ROLLED_BACK)
				? TransactionOutcome.ROLLED_BACK : TransactionOutcome.IN_DOUBT;
		boolean begun = this.committing || (this.rollingBack && reported == TransactionOutcome.ROLLED_BACK);
		return (this.execution == null || begun) ? reported : ThreadTransactions.rollBack(this.execution, reported);
	}

	private final class FirstSynchronization implements TransactionSynchronization, PriorityOrdered {

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void suspend() {
			ObservedTransaction.this.detached = true;
		}

		@Override
		public void resume() {
			ObservedTransaction.this.detached = false;
			ThreadTransactions.resumed(ObservedTransaction.this);
		}

		@Override
		public void savepoint(Object savepoint) {
			ObservedTransaction known = ObservedTransaction.this.savepointIn;
			ObservedTransaction.this.savepointIn = null;
			ObservedTransaction owner = (known != null) ? known
					: ThreadTransactions.innermostWithSavepoints(ObservedTransaction.this);
			owner.savepoints.set(savepoint);
		}

		@Override
		public void savepointRollback(Object savepoint) {
			ObservedTransaction owner = ObservedTransaction.this;
			while (owner != null && !owner.savepoints.isSet(savepoint)) {
				owner = owner.outer;
			}
			// No owner is known if it was set before this transaction was found.
			((owner != null) ? owner : ObservedTransaction.this).savepoints.rollBackTo(savepoint);
		}

		@Override
		public void afterCommit() {
			ObservedTransaction.this.callbacks.complete(TransactionOutcome.COMMITTED);
		}

		@Override
		public void afterCompletion(int status) {
			ObservedTransaction.this.ended = true;
			ObservedTransaction.this.callbacks.complete(outcome(status));
			ThreadTransactions.completed(ObservedTransaction.this);
		}

	}

	private final class LastSynchronization implements TransactionSynchronization {

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE;
		}

		@Override
		public void beforeCommit(boolean readOnlyNow) {
			runBeforeCommit();
		}

	}

}

package io.idempotent.transaction;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * One transaction of Spring, from its start to its outcome. The outcome is set before any
 * other synchronization is called, so that a callback after the completion finds it
 * completed. Safe for use by several threads: JTA may complete it in another one.
 */
public final class ObservedTransaction {

	private final @Nullable TransactionExecution execution;

	/** What it bound to the thread; {@code null} if its start was not observed. */
	private final @Nullable Map<Object, Object> resources;

	private final @Nullable ObservedTransaction outer;

	private final boolean readOnly;

	private final Savepoints savepoints = new Savepoints();

	private final TransactionCallbacks callbacks = new TransactionCallbacks();

	private final Map<Object, Object> attributes = new ConcurrentHashMap<>(2);

	/** The transaction that the next savepoint belongs to, if known. */
	private volatile @Nullable ObservedTransaction nextSavepointIn;

	private volatile boolean synchronizationsSuspended;

	private volatile boolean committing;

	private volatile boolean rollingBack;

	private volatile boolean ended;

	ObservedTransaction(@Nullable TransactionExecution execution, @Nullable Map<Object, Object> resources,
			boolean readOnly, @Nullable ObservedTransaction outer) {
		this.execution = execution;
		this.resources = resources;
		this.readOnly = readOnly;
		this.outer = outer;
	}

	public TransactionOutcome outcome() {
		return this.callbacks.outcome();
	}

	public boolean isReadOnly() {
		return this.readOnly;
	}

	/** Otherwise it was found while open. */
	public boolean isObservedFromBegin() {
		return this.execution != null;
	}

	/**
	 * Whether this transaction bound the resource to the thread. If its start was not
	 * observed, it is assumed to have bound each that no other transaction has bound.
	 */
	public boolean isOn(Object resource) {
		if (this.resources != null) {
			return this.resources.containsKey(resource);
		}
		Object bound = TransactionObserver.bound(resource);
		if (bound == null) {
			return false;
		}
		for (ObservedTransaction each = this.outer; each != null; each = each.outer) {
			if (each.resources != null && each.resources.get(resource) == bound) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Whether current work is not part of it. If another transaction manager has
	 * suspended only its synchronizations, it is not suspended.
	 */
	public boolean isSuspended() {
		return this.synchronizationsSuspended && !holdsItsResources();
	}

	public TransactionScope.Point point() {
		return new TransactionScope.Point(this, this.savepoints.mark());
	}

	/**
	 * Runs the action right before the commit, after all synchronizations, so that no
	 * code of the application runs in between; not before a rollback. Unless the start
	 * was observed, it is one of the synchronizations. Once the commit has begun, as in a
	 * flush of JPA, it runs at once. An exception rolls the transaction back.
	 */
	public void beforeCommit(Runnable action) {
		this.callbacks.beforeCommit(action);
	}

	/**
	 * Runs the action as soon as the outcome is known, before any other synchronization;
	 * at once if it is known already. An exception is logged.
	 */
	public void afterCompletion(Runnable action) {
		this.callbacks.afterCompletion(action);
	}

	public @Nullable Object attribute(Object key) {
		return this.attributes.get(key);
	}

	public Object attribute(Object key, Supplier<?> value) {
		return this.attributes.computeIfAbsent(key, (absent) -> value.get());
	}

	@Nullable ObservedTransaction outer() {
		return this.outer;
	}

	boolean isOf(TransactionExecution other) {
		return this.execution == other;
	}

	/** Whether its synchronizations are called after its completion, or have been. */
	boolean hasEnded() {
		return this.ended;
	}

	boolean areSynchronizationsSuspended() {
		return this.synchronizationsSuspended;
	}

	/** Whether there are resources, and all of them are still bound. */
	boolean holdsItsResources() {
		return this.resources != null && !this.resources.isEmpty()
				&& this.resources.entrySet()
					.stream()
					.allMatch((resource) -> TransactionObserver.bound(resource.getKey()) == resource.getValue());
	}

	/** Whether a transaction, even a suspended one, still uses one of its resources. */
	boolean isInUse() {
		return isAnyResource(
				(each) -> each instanceof ResourceHolderSupport holder && holder.isSynchronizedWithTransaction());
	}

	boolean hasBound(Object value) {
		return isAnyResource((each) -> each == value);
	}

	private boolean isAnyResource(Predicate<Object> condition) {
		return this.resources != null && this.resources.values().stream().anyMatch(condition);
	}

	/**
	 * This transaction or one around it: Spring calls the active synchronizations, which
	 * may be those of an inner one.
	 */
	void nextSavepointIn(ObservedTransaction owner) {
		this.nextSavepointIn = owner;
	}

	Savepoints savepoints() {
		return this.savepoints;
	}

	/** Also true if that is not known. */
	boolean hasSavepoints() {
		return !(this.execution instanceof DefaultTransactionStatus status) || status.isTransactionSavepointManager();
	}

	/** The commit is observed only if the start was. */
	List<TransactionSynchronization> synchronizations() {
		return isObservedFromBegin() ? List.of(new FirstSynchronization())
				: List.of(new FirstSynchronization(), new LastSynchronization());
	}

	/** A second call runs nothing. */
	void runBeforeCommit() {
		this.callbacks.runBeforeCommit();
		this.committing = true;
	}

	void rollbackBegins() {
		this.rollingBack = true;
	}

	/**
	 * Spring takes a {@code TransactionException} of any callback before the commit for a
	 * failure of the commit itself, and does not roll back. Resetting the connection
	 * would then commit the transaction without the writes of actions before the commit.
	 */
	private TransactionOutcome outcome(int status) {
		if (status == TransactionSynchronization.STATUS_COMMITTED) {
			return TransactionOutcome.COMMITTED;
		}
		TransactionOutcome reported = (status == TransactionSynchronization.STATUS_ROLLED_BACK)
				? TransactionOutcome.ROLLED_BACK : TransactionOutcome.IN_DOUBT;
		boolean begun = this.committing || (this.rollingBack && reported == TransactionOutcome.ROLLED_BACK);
		return (this.execution == null || begun) ? reported : TransactionObserver.rollBack(this.execution, reported);
	}

	private final class FirstSynchronization implements TransactionSynchronization, PriorityOrdered {

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void suspend() {
			ObservedTransaction.this.synchronizationsSuspended = true;
		}

		@Override
		public void resume() {
			ObservedTransaction.this.synchronizationsSuspended = false;
			TransactionObserver.resumed(ObservedTransaction.this);
		}

		@Override
		public void savepoint(Object savepoint) {
			ObservedTransaction known = ObservedTransaction.this.nextSavepointIn;
			ObservedTransaction.this.nextSavepointIn = null;
			ObservedTransaction owner = (known != null) ? known
					: TransactionObserver.innermostWithSavepoints(ObservedTransaction.this);
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
			TransactionObserver.completed(ObservedTransaction.this);
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

package io.idempotent.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * One transaction of Spring and what becomes of it: begun, savepoint, rolled back to it,
 * suspended, committing, and in the end committed, rolled back or in doubt. It knows of
 * its end before any other synchronization is told, so that a callback after the
 * completion finds it completed.
 *
 * <p>
 * {@link ThreadTransactions} finds it. Safe for use by several threads, since JTA may
 * complete a transaction in another one.
 */
public final class ObservedTransaction {

	private static final Log logger = LogFactory.getLog(ObservedTransaction.class);

	private final @Nullable TransactionExecution execution;

	/** What its begin has bound, or {@code null} if nobody saw that. */
	private final @Nullable Map<Object, Object> resources;

	private final @Nullable ObservedTransaction outer;

	private final boolean readOnly;

	private final Savepoints savepoints = new Savepoints();

	private final List<Runnable> beforeCommit = new ArrayList<>(1);

	private final List<Runnable> afterCompletion = new ArrayList<>(1);

	private final Map<Object, Object> attributes = new ConcurrentHashMap<>(2);

	/** Where the next savepoint is set that this transaction is told of, if known. */
	private volatile @Nullable ObservedTransaction savepointIn;

	private volatile boolean detached;

	private volatile boolean ended;

	private volatile TransactionOutcome outcome = TransactionOutcome.OPEN;

	ObservedTransaction(@Nullable TransactionExecution execution, @Nullable Map<Object, Object> resources,
			boolean readOnly, @Nullable ObservedTransaction outer) {
		this.execution = execution;
		this.resources = (resources != null) ? Map.copyOf(resources) : null;
		this.readOnly = readOnly;
		this.outer = outer;
	}

	/**
	 * What became of it.
	 * @return the outcome
	 */
	public TransactionOutcome outcome() {
		return this.outcome;
	}

	/**
	 * Whether it was begun for reading only.
	 * @return whether it was
	 */
	public boolean isReadOnly() {
		return this.readOnly;
	}

	/**
	 * Whether its begin was seen, by a {@link TransactionObserver} among the listeners of
	 * its manager. Otherwise it was found while it was open.
	 * @return whether it was
	 */
	public boolean isObservedFromBegin() {
		return this.execution != null;
	}

	/**
	 * Whether it is a transaction on a resource: whether its begin has bound it to the
	 * thread. Where the begin was not seen, it is taken to be on each resource that is
	 * bound and that no other transaction of the thread has bound.
	 * @param resource the resource as Spring binds it, such as a {@code DataSource}
	 * @return whether it is
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
			if (each.resources != null && each.resources.get(resource) == bound) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Whether it is suspended, so that nothing that is done now takes part in it. While
	 * only its synchronizations are suspended, by a transaction of another manager, it is
	 * not.
	 * @return whether it is
	 */
	public boolean isSuspended() {
		return this.detached && !holdsItsResources();
	}

	/**
	 * Marks the point that has been reached.
	 * @return the point
	 */
	public TransactionPoint point() {
		return new TransactionPoint(this, this.savepoints.mark());
	}

	/**
	 * Has code run right before the commit, after all synchronizations have prepared it,
	 * so that nothing of the application runs between this and the commit. (Where the
	 * begin was not seen, it is run among the synchronizations.) What it throws rolls the
	 * transaction back. Not called for a rollback.
	 * @param action the code
	 */
	public void beforeCommit(Runnable action) {
		synchronized (this.beforeCommit) {
			this.beforeCommit.add(action);
		}
	}

	/**
	 * Has code run as soon as it is known how the transaction ended, before any other
	 * synchronization is told: after the commit, or after the completion; at once if it
	 * is known already. What it throws is logged.
	 * @param action the code
	 */
	public void afterCompletion(Runnable action) {
		synchronized (this.afterCompletion) {
			if (this.outcome == TransactionOutcome.OPEN) {
				this.afterCompletion.add(action);
				return;
			}
		}
		action.run();
	}

	/**
	 * Something that is kept with the transaction.
	 * @param key whose it is, compared by identity or equality
	 * @return the value, or {@code null}
	 */
	public @Nullable Object attribute(Object key) {
		return this.attributes.get(key);
	}

	/**
	 * Keeps something with the transaction, unless there is something of that key.
	 * @param key whose it is
	 * @param value makes the value
	 * @return what is kept
	 */
	public Object attribute(Object key, Supplier<?> value) {
		return this.attributes.computeIfAbsent(key, (absent) -> value.get());
	}

	@Override
	public String toString() {
		return "Transaction[" + this.outcome + (this.detached ? ", detached" : "")
				+ (this.readOnly ? ", read-only" : "") + "]";
	}

	@Nullable ObservedTransaction outer() {
		return this.outer;
	}

	boolean isThatOf(TransactionExecution of) {
		return this.execution == of;
	}

	/** Whether its synchronizations are told of its completion, or have been. */
	boolean hasEnded() {
		return this.ended;
	}

	/** Whether its synchronizations are not those that are active now. */
	boolean isDetached() {
		return this.detached;
	}

	/** Whether each resource that its begin has bound is still bound. */
	boolean holdsItsResources() {
		if (this.resources == null || this.resources.isEmpty()) {
			return false;
		}
		return this.resources.entrySet()
			.stream()
			.allMatch((resource) -> ThreadTransactions.bound(resource.getKey()) == resource.getValue());
	}

	/** Whether a resource of its begin is still in use by it, though maybe suspended. */
	boolean isInUse() {
		return this.resources != null && this.resources.values()
			.stream()
			.anyMatch((each) -> each instanceof ResourceHolderSupport held && held.isSynchronizedWithTransaction());
	}

	/** Whether its begin has bound a resource. */
	boolean hasBound(Object value) {
		return this.resources != null && this.resources.values().stream().anyMatch((each) -> each == value);
	}

	/**
	 * Spring tells the transaction whose synchronizations are active of a savepoint.
	 * @param owner the one that the next savepoint is set in: this or one around it
	 */
	void savepointIn(ObservedTransaction owner) {
		this.savepointIn = owner;
	}

	Savepoints savepoints() {
		return this.savepoints;
	}

	/** Whether savepoints can be set in it, unless that is not known. */
	boolean hasSavepoints() {
		return !(this.execution instanceof DefaultTransactionStatus status) || status.isTransactionSavepointManager();
	}

	/** Nobody tells of the commit itself where nobody told of the begin. */
	List<TransactionSynchronization> synchronizations() {
		return isObservedFromBegin() ? List.of(new FirstOfAll()) : List.of(new FirstOfAll(), new LastOfAll());
	}

	/** Runs what is due before the commit; a second call runs nothing. */
	void commits() {
		List<Runnable> due;
		synchronized (this.beforeCommit) {
			due = List.copyOf(this.beforeCommit);
			this.beforeCommit.clear();
		}
		try {
			due.forEach(Runnable::run);
		}
		catch (TransactionException ex) {
			// Spring would take it for a commit that failed, and roll nothing back.
			throw new IllegalStateException("The transaction is rolled back: " + ex.getMessage(), ex);
		}
	}

	private void settle(TransactionOutcome how) {
		List<Runnable> due;
		synchronized (this.afterCompletion) {
			this.outcome = how;
			due = List.copyOf(this.afterCompletion);
			this.afterCompletion.clear();
		}
		due.forEach(ObservedTransaction::runAndLog);
	}

	private static void runAndLog(Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			// Spring logs what a synchronization throws, and tells the next one.
			logger.error("A callback after the completion of a transaction failed", ex);
		}
	}

	private final class FirstOfAll implements TransactionSynchronization, PriorityOrdered {

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
			// Unknown if it was set before this transaction was found.
			((owner != null) ? owner : ObservedTransaction.this).savepoints.rollBackTo(savepoint);
		}

		@Override
		public void afterCommit() {
			settle(TransactionOutcome.COMMITTED);
		}

		@Override
		public void afterCompletion(int status) {
			ObservedTransaction.this.ended = true;
			settle(switch (status) {
				case STATUS_COMMITTED -> TransactionOutcome.COMMITTED;
				case STATUS_ROLLED_BACK -> TransactionOutcome.ROLLED_BACK;
				default -> TransactionOutcome.IN_DOUBT;
			});
			ThreadTransactions.completed(ObservedTransaction.this);
		}

	}

	private final class LastOfAll implements TransactionSynchronization {

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE;
		}

		@Override
		public void beforeCommit(boolean readOnlyNow) {
			commits();
		}

	}

}

package io.idempotent.transaction;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Observes each transaction of a transaction manager from its start. Without an observer
 * among a manager's listeners, transactions are observed from their first use by this
 * library. Several observers of one manager do not interfere.
 *
 * <p>
 * The transactions of a thread are a chain from the innermost outwards in one of Spring's
 * thread-bound resources. Transactions that are suspended, or whose synchronizations
 * another transaction manager suspended, stay in the chain.
 */
public class TransactionObserver implements TransactionExecutionListener {

	private static final Object INNERMOST = new Object();

	private static final Object BEFORE_BEGIN = new Object();

	private static final Object WATCH = new Object();

	private static final boolean SPRING_JDBC_PRESENT = ClassUtils.isPresent(
			"org.springframework.jdbc.datasource.JdbcTransactionObjectSupport",
			TransactionObserver.class.getClassLoader());

	/** A transaction is about to start, or a savepoint to be set in one. */
	@Override
	public final void beforeBegin(TransactionExecution execution) {
		if (!isOfThread(execution)) {
			return;
		}
		ObservedTransaction active = execution.isNewTransaction() ? innermost() : observeActive();
		ObservedTransaction owner = execution.isNewTransaction() ? null : ownerOfSavepoint(execution, active);
		if (owner != null) {
			owner.savepoints().set(execution);
			if (active != null) {
				active.nextSavepointIn(owner);
			}
		}
		Map<Object, Object> before = TransactionSynchronizationManager.getResourceMap();
		TransactionSynchronizationManager.unbindResourceIfPossible(BEFORE_BEGIN);
		if (!before.isEmpty()) {
			TransactionSynchronizationManager.bindResource(BEFORE_BEGIN, new HashMap<>(before));
		}
	}

	@Override
	public final void afterBegin(TransactionExecution execution, @Nullable Throwable beginFailure) {
		if (!isOfThread(execution)) {
			return;
		}
		Object before = TransactionSynchronizationManager.unbindResourceIfPossible(BEFORE_BEGIN);
		ObservedTransaction begun = (beginFailure == null) ? findOrObserve(execution, (Map<?, ?>) before) : null;
		if (begun != null) {
			began(begun);
		}
	}

	/**
	 * A transaction has started, or a savepoint was set in it by {@code NESTED}. Must not
	 * throw: the transaction could not be rolled back yet.
	 */
	protected void began(ObservedTransaction transaction) {
	}

	@Override
	public final void beforeCommit(TransactionExecution execution) {
		ObservedTransaction innermost = innermost();
		if (innermost != null && innermost.isOf(execution)) {
			innermost.runBeforeCommit();
		}
	}

	/** Called for a transaction or a nested part. Synchronizations are called too. */
	@Override
	public final void beforeRollback(TransactionExecution execution) {
		if (!isOfThread(execution)) {
			return;
		}
		for (ObservedTransaction each = innermost(); each != null; each = each.outer()) {
			if (each.isOf(execution)) {
				each.rollbackBegins();
			}
			else if (each.savepoints().isSet(execution)) {
				each.savepoints().rollBackTo(execution);
			}
		}
	}

	@Override
	public final void afterCommit(TransactionExecution execution, @Nullable Throwable commitFailure) {
		ended(execution);
	}

	@Override
	public final void afterRollback(TransactionExecution execution, @Nullable Throwable rollbackFailure) {
		ended(execution);
	}

	private static void ended(TransactionExecution execution) {
		ObservedTransaction innermost = innermost();
		if (innermost != null && innermost.isOf(execution)) {
			remove(innermost);
		}
	}

	/** Reactive transactions are not bound to threads. */
	private static boolean isOfThread(TransactionExecution execution) {
		return execution instanceof TransactionStatus;
	}

	/**
	 * Watches the transactions that this thread begins until the watch is closed, and
	 * runs the action if it is unknown how one ended that may write: it may have been
	 * committed. Watches around it notice its transactions, too; those of other threads,
	 * and of managers without an observer, are not noticed.
	 */
	public static Watch watch(Runnable inDoubt) {
		Watch watch = new Watch(inDoubt, (Watch) bound(WATCH));
		bind(WATCH, watch);
		return watch;
	}

	/**
	 * The transaction whose synchronizations are active, which may just have been
	 * committed; observed from now on if its start was not. {@code null} while its
	 * synchronizations are called after its completion.
	 */
	static @Nullable ObservedTransaction observeActive() {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			return null;
		}
		ObservedTransaction innermost = innermost();
		if (innermost != null && !innermost.areSynchronizationsSuspended() && !innermost.hasEnded()) {
			return innermost;
		}
		if (innermost != null && innermost.hasEnded() && innermost.holdsItsResources()) {
			// A call in a callback after the completion of this transaction.
			return null;
		}
		return observe(new ObservedTransaction(null, null,
				TransactionSynchronizationManager.isCurrentTransactionReadOnly(), innermost));
	}

	/** It has not ended, or its callbacks are running. */
	static @Nullable ObservedTransaction innermost() {
		ObservedTransaction innermost = (ObservedTransaction) bound(INNERMOST);
		ObservedTransaction each = innermost;
		while (each != null && hasEndedUnnoticed(each)) {
			each = each.outer();
		}
		if (each != innermost) {
			bind(each);
		}
		return each;
	}

	/** A callback failed, or it ended on another thread. */
	private static boolean hasEndedUnnoticed(ObservedTransaction transaction) {
		return transaction.hasEnded() && (!transaction.isObservedFromBegin()
				|| (!TransactionSynchronizationManager.isActualTransactionActive() && !transaction.holdsItsResources()
						&& !transaction.isInUse()));
	}

	private static @Nullable ObservedTransaction findOrObserve(TransactionExecution execution,
			@Nullable Map<?, ?> before) {
		ObservedTransaction innermost = innermost();
		if (innermost != null && innermost.isOf(execution)) {
			return innermost;
		}
		if (!execution.isNewTransaction()) {
			return ownerOfSavepoint(execution, observeActive());
		}
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| (innermost != null && !innermost.areSynchronizationsSuspended() && !innermost.hasEnded())) {
			return observeActive();
		}
		return observe(new ObservedTransaction(execution, boundSince(before), execution.isReadOnly(), innermost));
	}

	/**
	 * The transaction of a savepoint. Active synchronizations may be those of another
	 * transaction that started inside of it; after its completion there are none.
	 */
	private static @Nullable ObservedTransaction ownerOfSavepoint(TransactionExecution execution,
			@Nullable ObservedTransaction active) {
		Object resource = SPRING_JDBC_PRESENT ? JdbcTransactions.resourceOf(execution) : null;
		ObservedTransaction each = (active != null) ? active : innermost();
		for (; each != null && resource != null; each = each.outer()) {
			if (each.hasBound(resource) && (each == active || each.outcome() == TransactionOutcome.OPEN)) {
				return each;
			}
		}
		return active;
	}

	/** Finds the transaction in which the application has set a savepoint by itself. */
	static ObservedTransaction innermostWithSavepoints(ObservedTransaction active) {
		for (ObservedTransaction each = active; each != null; each = each.outer()) {
			if (each.hasSavepoints() && each.outcome() == TransactionOutcome.OPEN && !each.isSuspended()) {
				return each;
			}
		}
		return active;
	}

	static TransactionOutcome rollBack(TransactionExecution execution, TransactionOutcome reported) {
		return SPRING_JDBC_PRESENT ? JdbcTransactions.rollBack(execution, reported) : reported;
	}

	private static Map<Object, Object> boundSince(@Nullable Map<?, ?> before) {
		Map<Object, Object> since = new HashMap<>(TransactionSynchronizationManager.getResourceMap());
		since.remove(INNERMOST);
		if (before != null) {
			before.forEach((key, value) -> since.remove(key, value));
		}
		return since;
	}

	private static ObservedTransaction observe(ObservedTransaction transaction) {
		transaction.synchronizations().forEach(TransactionSynchronizationManager::registerSynchronization);
		bind(transaction);
		Watch watch = (Watch) bound(WATCH);
		if (watch != null && !transaction.isReadOnly()) {
			watch.began(transaction);
		}
		return transaction;
	}

	/** A transaction was resumed: those inside of it have ended. */
	static void resumed(ObservedTransaction transaction) {
		bind(transaction);
	}

	/** If its manager reports the end, it is kept until then, for its callbacks. */
	static void completed(ObservedTransaction transaction) {
		if (!transaction.isObservedFromBegin()) {
			remove(transaction);
		}
	}

	private static void remove(ObservedTransaction transaction) {
		if (bound(INNERMOST) == transaction) {
			bind(transaction.outer());
		}
	}

	static @Nullable Object bound(Object resource) {
		return TransactionSynchronizationManager.getResource(resource);
	}

	private static void bind(@Nullable ObservedTransaction innermost) {
		bind(INNERMOST, innermost);
	}

	private static void bind(Object resource, @Nullable Object value) {
		TransactionSynchronizationManager.unbindResourceIfPossible(resource);
		if (value != null) {
			TransactionSynchronizationManager.bindResource(resource, value);
		}
	}

	/** The code that a thread runs until the watch is closed, and what is around it. */
	public record Watch(Runnable inDoubt, @Nullable Watch outer) implements AutoCloseable {

		private void began(ObservedTransaction transaction) {
			transaction.afterCompletion(() -> {
				if (transaction.outcome() == TransactionOutcome.IN_DOUBT) {
					for (Watch each = this; each != null; each = each.outer) {
						each.inDoubt.run();
					}
				}
			});
		}

		@Override
		public void close() {
			bind(WATCH, this.outer);
		}

	}

}

package io.idempotent.transaction;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The transactions of the current thread, kept as one of Spring's thread-bound resources.
 * They form a chain from the innermost transaction outwards. Transactions that are
 * suspended, or whose synchronizations are suspended by another transaction manager, stay
 * in the chain.
 */
final class ThreadTransactions {

	private static final Object INNERMOST = new Object();

	private static final Object BEFORE_BEGIN = new Object();

	private static final boolean SPRING_JDBC_PRESENT = ClassUtils.isPresent(
			"org.springframework.jdbc.datasource.JdbcTransactionObjectSupport",
			ThreadTransactions.class.getClassLoader());

	private ThreadTransactions() {
	}

	/**
	 * The transaction whose synchronizations are active. If its start was not observed,
	 * it is observed from now on.
	 * @return the transaction, which may just have been committed; {@code null} if there
	 * is none, and while its synchronizations are called after its completion
	 */
	static @Nullable ObservedTransaction synchronizing() {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			return null;
		}
		ObservedTransaction innermost = innermost();
		if (innermost != null && !innermost.isDetached() && !innermost.hasEnded()) {
			return innermost;
		}
		if (innermost != null && innermost.hasEnded() && innermost.holdsItsResources()) {
			// A call in a callback after the completion of this transaction.
			return null;
		}
		return observe(new ObservedTransaction(null, null,
				TransactionSynchronizationManager.isCurrentTransactionReadOnly(), innermost));
	}

	/**
	 * The innermost transaction that has not ended, or whose callbacks are running.
	 * @return the transaction, or {@code null}
	 */
	static @Nullable ObservedTransaction innermost() {
		ObservedTransaction innermost = (ObservedTransaction) bound(INNERMOST);
		ObservedTransaction each = innermost;
		while (each != null && isStale(each)) {
			each = each.outer();
		}
		if (each != innermost) {
			bind(each);
		}
		return each;
	}

	/**
	 * Whether a transaction has ended without notice, for example because a callback
	 * before the commit failed, or because another thread completed it.
	 */
	private static boolean isStale(ObservedTransaction transaction) {
		return transaction.hasEnded() && (!transaction.isObservedFromBegin()
				|| (!TransactionSynchronizationManager.isActualTransactionActive() && !transaction.holdsItsResources()
						&& !transaction.isInUse()));
	}

	/**
	 * A transaction is about to start, or a savepoint to be set in one.
	 * @param execution the transaction
	 */
	static void beginning(TransactionExecution execution) {
		ObservedTransaction active = execution.isNewTransaction() ? innermost() : synchronizing();
		ObservedTransaction joined = execution.isNewTransaction() ? null : joined(execution, active);
		if (joined != null) {
			joined.savepoints().set(execution);
			if (active != null) {
				active.savepointIn(joined);
			}
		}
		Map<Object, Object> before = TransactionSynchronizationManager.getResourceMap();
		TransactionSynchronizationManager.unbindResourceIfPossible(BEFORE_BEGIN);
		if (!before.isEmpty()) {
			TransactionSynchronizationManager.bindResource(BEFORE_BEGIN, new HashMap<>(before));
		}
	}

	/**
	 * A transaction has started, or a savepoint was set in one.
	 * @param execution the transaction
	 * @param failure why it did not start, or {@code null}
	 * @return the transaction, or {@code null} if there is none to observe
	 */
	static @Nullable ObservedTransaction began(TransactionExecution execution, @Nullable Throwable failure) {
		Object before = TransactionSynchronizationManager.unbindResourceIfPossible(BEFORE_BEGIN);
		if (failure != null) {
			return null;
		}
		ObservedTransaction innermost = innermost();
		if (innermost != null && innermost.isThatOf(execution)) {
			return innermost;
		}
		if (!execution.isNewTransaction()) {
			return joined(execution, synchronizing());
		}
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| (innermost != null && !innermost.isDetached() && !innermost.hasEnded())) {
			return synchronizing();
		}
		return observe(
				new ObservedTransaction(execution, boundSince((Map<?, ?>) before), execution.isReadOnly(), innermost));
	}

	/**
	 * The transaction that a savepoint belongs to. The active synchronizations may be
	 * those of another transaction that has started inside of it; in callbacks after the
	 * completion of that transaction there are none.
	 */
	private static @Nullable ObservedTransaction joined(TransactionExecution execution,
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

	/**
	 * A transaction or a nested part of one is rolled back. Synchronizations, if there
	 * are any, are called as well.
	 * @param execution the transaction or its nested part
	 */
	static void rollsBack(TransactionExecution execution) {
		for (ObservedTransaction each = innermost(); each != null; each = each.outer()) {
			if (each.isThatOf(execution)) {
				each.rollsBack();
			}
			else if (each.savepoints().isSet(execution)) {
				each.savepoints().rollBackTo(execution);
			}
		}
	}

	/**
	 * The transaction that a savepoint belongs to if the application has set it by
	 * itself.
	 * @param active the transaction whose synchronizations are active
	 * @return the innermost one that is open and may support savepoints
	 */
	static ObservedTransaction innermostWithSavepoints(ObservedTransaction active) {
		for (ObservedTransaction each = active; each != null; each = each.outer()) {
			if (each.hasSavepoints() && each.outcome() == TransactionOutcome.OPEN && !each.isSuspended()) {
				return each;
			}
		}
		return active;
	}

	/**
	 * Rolls back the connection of a transaction, if it has one that is known.
	 * @param execution the transaction
	 * @param reported the outcome if it has none
	 */
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
		return transaction;
	}

	/**
	 * A transaction was resumed: those inside of it have ended.
	 * @param transaction the transaction
	 */
	static void resumed(ObservedTransaction transaction) {
		bind(transaction);
	}

	/**
	 * A transaction has completed. If its manager reports the end, it is kept until then,
	 * for its callbacks.
	 * @param transaction the transaction
	 */
	static void completed(ObservedTransaction transaction) {
		if (!transaction.isObservedFromBegin()) {
			remove(transaction);
		}
	}

	static void ended(TransactionExecution execution) {
		ObservedTransaction innermost = innermost();
		if (innermost != null && innermost.isThatOf(execution)) {
			remove(innermost);
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
		TransactionSynchronizationManager.unbindResourceIfPossible(INNERMOST);
		if (innermost != null) {
			TransactionSynchronizationManager.bindResource(INNERMOST, innermost);
		}
	}

}

package io.idempotent.transaction;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The transactions of the current thread, kept where Spring keeps the thread's resources.
 * They are a chain from the innermost outwards: those that are suspended, and those whose
 * synchronizations are suspended by a transaction of another manager, stay in it.
 */
final class ThreadTransactions {

	private static final Object INNERMOST = new Object();

	private static final Object BEFORE_BEGIN = new Object();

	private static final boolean SAVEPOINTS_NAME_RESOURCES = ClassUtils.isPresent(
			"org.springframework.jdbc.datasource.JdbcTransactionObjectSupport",
			ThreadTransactions.class.getClassLoader());

	private ThreadTransactions() {
	}

	/**
	 * The transaction whose synchronizations are active. One whose begin was not seen is
	 * observed from now on.
	 * @return the transaction, maybe one that has just been committed; {@code null}
	 * without any, and while synchronizations are told of its completion
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
			// What joins a transaction in a callback after its completion.
			return null;
		}
		return observe(new ObservedTransaction(null, null,
				TransactionSynchronizationManager.isCurrentTransactionReadOnly(), innermost));
	}

	/**
	 * The innermost transaction that has not ended, or whose callbacks run.
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
	 * Some ends are not told here, as when a callback before the commit throws, or when
	 * another thread completes the transaction.
	 */
	private static boolean isStale(ObservedTransaction transaction) {
		return transaction.hasEnded() && (!transaction.isObservedFromBegin()
				|| (!TransactionSynchronizationManager.isActualTransactionActive() && !transaction.holdsItsResources()
						&& !transaction.isInUse()));
	}

	/**
	 * A transaction is about to begin, or a savepoint to be set in one.
	 * @param execution the transaction
	 */
	static void beginning(TransactionExecution execution) {
		ObservedTransaction told = execution.isNewTransaction() ? innermost() : synchronizing();
		ObservedTransaction joined = execution.isNewTransaction() ? null : joined(execution, told);
		if (joined != null) {
			joined.savepoints().set(execution);
			if (told != null) {
				told.savepointIn(joined);
			}
		}
		Map<Object, Object> before = TransactionSynchronizationManager.getResourceMap();
		TransactionSynchronizationManager.unbindResourceIfPossible(BEFORE_BEGIN);
		if (!before.isEmpty()) {
			TransactionSynchronizationManager.bindResource(BEFORE_BEGIN, new HashMap<>(before));
		}
	}

	/**
	 * A transaction has begun, or a savepoint was set in one.
	 * @param execution the transaction
	 * @param failure why it did not begin, or {@code null}
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
	 * The transaction that a savepoint belongs to. The synchronizations that are told of
	 * it may be those of another, which has begun inside of that one, or there are none,
	 * in callbacks after the completion of that other one.
	 */
	private static @Nullable ObservedTransaction joined(TransactionExecution execution,
			@Nullable ObservedTransaction told) {
		Object resource = SAVEPOINTS_NAME_RESOURCES ? JdbcTransactions.resourceOf(execution) : null;
		ObservedTransaction each = (told != null) ? told : innermost();
		for (; each != null && resource != null; each = each.outer()) {
			if (each.hasBound(resource) && (each == told || each.outcome() == TransactionOutcome.OPEN)) {
				return each;
			}
		}
		return told;
	}

	/**
	 * What was done in a nested part of a transaction is rolled back. Synchronizations
	 * are told as well, where there are any.
	 * @param execution the part
	 */
	static void rollsBack(TransactionExecution execution) {
		for (ObservedTransaction each = innermost(); each != null; each = each.outer()) {
			if (each.savepoints().isSet(execution)) {
				each.savepoints().rollBackTo(execution);
			}
		}
	}

	/**
	 * The transaction that a savepoint is taken to be of which the application has set by
	 * itself.
	 * @param told the transaction whose synchronizations are told
	 * @return the innermost that is open and may have savepoints
	 */
	static ObservedTransaction innermostWithSavepoints(ObservedTransaction told) {
		for (ObservedTransaction each = told; each != null; each = each.outer()) {
			if (each.hasSavepoints() && each.outcome() == TransactionOutcome.OPEN && !each.isSuspended()) {
				return each;
			}
		}
		return told;
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
	 * A transaction goes on: those inside of it have ended.
	 * @param transaction the transaction
	 */
	static void resumed(ObservedTransaction transaction) {
		bind(transaction);
	}

	/**
	 * A transaction has completed. One whose manager tells of the end is kept until then,
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

package io.idempotent.transaction;

import java.util.HashMap;
import java.util.Map;

import io.idempotent.transaction.TransactionWatch.Watching;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The transactions of the current thread, as a chain from the innermost outwards in one
 * of Spring's thread-bound resources. Transactions that are suspended, or whose
 * synchronizations another transaction manager suspended, stay in the chain.
 */
final class ThreadTransactions {

	private static final Object INNERMOST = new Object();

	private static final Object BEFORE_BEGIN = new Object();

	private static final Object WATCHING = new Object();

	private static final boolean SPRING_JDBC_PRESENT = ClassUtils.isPresent(
			"org.springframework.jdbc.datasource.JdbcTransactionObjectSupport",
			ThreadTransactions.class.getClassLoader());

	private ThreadTransactions() {
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

	/** It has not ended, or its callbacks are running. */
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

	/** Whether it ended without notice: a callback failed, or on another thread. */
	private static boolean isStale(ObservedTransaction transaction) {
		return transaction.hasEnded() && (!transaction.isObservedFromBegin()
				|| (!TransactionSynchronizationManager.isActualTransactionActive() && !transaction.holdsItsResources()
						&& !transaction.isInUse()));
	}

	/** A transaction is about to start, or a savepoint to be set in one. */
	static void beginning(TransactionExecution execution) {
		ObservedTransaction active = execution.isNewTransaction() ? innermost() : observeActive();
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

	/** A transaction has started, or a savepoint was set in one. */
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
			return joined(execution, observeActive());
		}
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| (innermost != null && !innermost.isDetached() && !innermost.hasEnded())) {
			return observeActive();
		}
		return observe(
				new ObservedTransaction(execution, boundSince((Map<?, ?>) before), execution.isReadOnly(), innermost));
	}

	/**
	 * The transaction of a savepoint. Active synchronizations may be those of another
	 * transaction that started inside of it; after its completion there are none.
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

	/** Called for a transaction or a nested part. Synchronizations are called too. */
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
		Watching watching = watching();
		if (watching != null && !transaction.isReadOnly()) {
			watching.began(transaction);
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

	static @Nullable Watching watching() {
		return (Watching) bound(WATCHING);
	}

	static void watch(@Nullable Watching watching) {
		bind(WATCHING, watching);
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

}

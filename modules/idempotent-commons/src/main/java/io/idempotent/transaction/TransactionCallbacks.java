package io.idempotent.transaction;

import java.util.ArrayList;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.transaction.TransactionException;

/**
 * The outcome of one transaction, and the code that runs before its commit and after its
 * completion. Safe for use by several threads.
 */
final class TransactionCallbacks {

	private static final Log logger = LogFactory.getLog(ObservedTransaction.class);

	private final List<Runnable> beforeCommit = new ArrayList<>(1);

	private final List<Runnable> afterCompletion = new ArrayList<>(1);

	private boolean commitHasBegun;

	private volatile TransactionOutcome outcome = TransactionOutcome.OPEN;

	TransactionOutcome outcome() {
		return this.outcome;
	}

	void beforeCommit(Runnable action) {
		synchronized (this.beforeCommit) {
			if (!this.commitHasBegun) {
				this.beforeCommit.add(action);
				return;
			}
		}
		action.run();
	}

	void afterCompletion(Runnable action) {
		synchronized (this.afterCompletion) {
			if (this.outcome == TransactionOutcome.OPEN) {
				this.afterCompletion.add(action);
				return;
			}
		}
		action.run();
	}

	/** A second call runs nothing. */
	void runBeforeCommit() {
		List<Runnable> actions;
		synchronized (this.beforeCommit) {
			this.commitHasBegun = true;
			actions = List.copyOf(this.beforeCommit);
			this.beforeCommit.clear();
		}
		try {
			actions.forEach(Runnable::run);
		}
		catch (TransactionException ex) {
			// Spring would treat it as a failed commit and not roll back.
			throw new IllegalStateException("The transaction is rolled back: " + ex.getMessage(), ex);
		}
	}

	void complete(TransactionOutcome result) {
		List<Runnable> actions;
		synchronized (this.afterCompletion) {
			this.outcome = result;
			actions = List.copyOf(this.afterCompletion);
			this.afterCompletion.clear();
		}
		actions.forEach(TransactionCallbacks::runAndLog);
	}

	private static void runAndLog(Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			// As Spring does with exceptions of synchronizations after the completion.
			logger.error("A callback after the completion of a transaction failed", ex);
		}
	}

}

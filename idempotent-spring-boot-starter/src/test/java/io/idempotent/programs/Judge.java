package io.idempotent.programs;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import io.idempotent.SubmissionRefusedException;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.UnexpectedRollbackException;

/**
 * Says whether an exception is explained by what the program has done. Each is judged
 * where it is seen first.
 */
final class Judge {

	private final Oracle oracle;

	private final Set<Throwable> judged = Collections.newSetFromMap(new IdentityHashMap<>());

	Judge(Oracle oracle) {
		this.oracle = oracle;
	}

	/**
	 * Takes an exception as explained.
	 * @param failure the exception
	 */
	void accept(Throwable failure) {
		this.judged.add(failure);
	}

	boolean isNew(Throwable failure) {
		return !this.judged.contains(failure);
	}

	/**
	 * Judges an exception.
	 * @param failure the exception
	 * @param strand who has met it
	 * @param where what it came out of
	 */
	void judge(Throwable failure, Strand strand, String where) {
		if (!this.judged.add(failure) || failure instanceof PlannedException) {
			return;
		}
		if (failure instanceof SubmissionRefusedException refused) {
			if (!this.oracle.explains(refused)) {
				this.oracle.deviates(Kind.FALSE_DUPLICATE,
						where + " was refused (" + refused.getMessage() + ") without another attempt");
			}
			return;
		}
		if (isLockTimeout(failure)) {
			if (!strand.isBeside() && !this.oracle.hasRivals()) {
				this.oracle.deviates(Kind.HANG, where + " waited for itself: " + failure.getMessage());
			}
			return;
		}
		if (!isExplained(failure, strand)) {
			this.oracle.deviates(Kind.UNEXPECTED_EXCEPTION, where + " threw " + failure);
		}
	}

	private static boolean isLockTimeout(Throwable failure) {
		String message = String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
		return message.contains("Timeout trying to lock") || message.contains("lock timeout")
				|| message.contains("Deadlock detected") || message.contains("deadlock detected");
	}

	private static boolean isExplained(Throwable failure, Strand strand) {
		for (Throwable each = failure; each != null; each = each.getCause()) {
			if (each instanceof WatchedDataSource.InjectedFailure || each instanceof PlannedException) {
				return true;
			}
		}
		Transaction last = strand.last();
		if (failure instanceof UnexpectedRollbackException) {
			return last != null && last.isSpoiled();
		}
		if (failure instanceof IllegalTransactionStateException) {
			return strand.isEnteringStrictly();
		}
		if (failure instanceof ConcurrencyFailureException && strand.isIsolated()) {
			return true;
		}
		return (failure instanceof DataAccessException || failure instanceof TransactionException) && last != null
				&& last.isAborted();
	}

}

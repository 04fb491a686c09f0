package io.idempotent.programs;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.idempotent.SubmissionRefusedException;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;

/**
 * Says whether an exception is explained by what the program has done. Each is judged
 * where it is seen first.
 */
final class Judge {

	private static final List<String> LOCKED = List.of("timeout trying to lock", "lock timeout", "deadlock detected");

	private final Oracle oracle;

	private final Set<Throwable> planned = Collections.newSetFromMap(new IdentityHashMap<>());

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

	/**
	 * The program itself throws an exception.
	 * @param failure the exception
	 */
	void plan(Throwable failure) {
		this.planned.add(failure);
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
		if (!this.judged.add(failure) || this.planned.contains(failure)) {
			return;
		}
		if (failure instanceof SubmissionRefusedException refused) {
			if (!this.oracle.explains(refused, strand)) {
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
		for (Throwable each = failure; each != null; each = each.getCause()) {
			String message = String.valueOf(each.getMessage()).toLowerCase(Locale.ROOT);
			if (LOCKED.stream().anyMatch(message::contains)) {
				return true;
			}
		}
		return false;
	}

	private boolean isExplained(Throwable failure, Strand strand) {
		for (Throwable each = failure; each != null; each = each.getCause()) {
			if (each instanceof WatchedDataSource.InjectedFailure || this.planned.contains(each)
					|| (each instanceof TransactionTimedOutException && strand.isTimedOut())) {
				return true;
			}
		}
		if (failure instanceof UnexpectedRollbackException || failure instanceof CannotCreateTransactionException) {
			return strand.isSpoiled();
		}
		if (failure instanceof IllegalTransactionStateException) {
			return strand.isEnteringStrictly();
		}
		if (failure instanceof ConcurrencyFailureException && strand.isIsolated()) {
			return true;
		}
		return (failure instanceof DataAccessException || failure instanceof TransactionException)
				&& strand.isAborted();
	}

}

package io.idempotent.programs;

import java.util.List;

import io.idempotent.programs.Transaction.Mark;

/**
 * What became of a run.
 */
enum Outcome {

	DONE, NOT_DONE,

	/** Some of its transactions were committed and others not. */
	UNKNOWN,

	/** The documents leave it open. */
	FUZZY;

	/**
	 * What became of a run by the transactions of its scope alone.
	 * @param run the run
	 * @param receipts whether the guarded transaction decides
	 * @return its outcome
	 */
	static Outcome byTransactionsOf(Run run, boolean receipts) {
		List<Mark> scope = run.scope();
		if (!receipts && run.isDoubted() && !run.hasReturned()) {
			return FUZZY;
		}
		if (scope.isEmpty()) {
			return run.hasReturned() ? DONE : NOT_DONE;
		}
		if (run.isAmbiguous() || run.isInDoubt() || run.isContradictory()) {
			return FUZZY;
		}
		if (scope.stream().allMatch(Mark::isCommitted)) {
			return (run.hasReturned() || mayHaveWritten(scope, receipts)) ? DONE : NOT_DONE;
		}
		return scope.stream().noneMatch(Mark::isCommitted) ? NOT_DONE : UNKNOWN;
	}

	private static boolean mayHaveWritten(List<Mark> scope, boolean receipts) {
		return scope.stream().anyMatch((mark) -> !mark.transaction().isReadOnly())
				&& !(receipts && scope.stream().anyMatch((mark) -> mark.transaction().isGuarded()));
	}

}

package io.idempotent.submission;

import io.idempotent.WhenFailed;
import io.idempotent.store.Outcome;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.receipt.AttemptReceipt;

/**
 * What an entrance can tell of how a submission ended.
 *
 * @param answer what repeats are to get of an effect or a replayed error, otherwise a
 * tombstone
 */
public record Report(Kind kind, Outcome answer) {

	/** Its code did not run. */
	public static final Report NOT_RUN = new Report(Kind.NOT_RUN, Outcome.TOMBSTONE);

	/** It says that it took no effect. */
	public static final Report NO_EFFECT = new Report(Kind.NO_EFFECT, Outcome.TOMBSTONE);

	/** It failed: {@link WhenFailed} decides, unless a receipt proves an effect. */
	public static final Report FAILED = new Report(Kind.FAILED, Outcome.TOMBSTONE);

	/** The outcome is unknown, unless a receipt proves an effect. */
	public static final Report UNKNOWN = new Report(Kind.UNKNOWN, Outcome.TOMBSTONE);

	/** It may still run where it can no longer be observed. */
	public static final Report UNOBSERVED = new Report(Kind.UNOBSERVED, Outcome.TOMBSTONE);

	public static Report effect(Outcome answer) {
		return new Report(Kind.EFFECT, answer);
	}

	/** An error that is replayed, unless it took effect or is not stored. */
	public static Report error(Outcome answer, boolean saysNoEffect) {
		return new Report(saysNoEffect ? Kind.ERROR_WITHOUT_EFFECT : Kind.ERROR, answer);
	}

	public boolean isEffect() {
		return this.kind == Kind.EFFECT;
	}

	public boolean saysNoEffect() {
		return this.kind == Kind.NO_EFFECT || this.kind == Kind.ERROR_WITHOUT_EFFECT;
	}

	boolean hasAnswer() {
		return isEffect() || isError();
	}

	private boolean isError() {
		return this.kind == Kind.ERROR || this.kind == Kind.ERROR_WITHOUT_EFFECT;
	}

	/** A commit was in doubt, and there is no receipt: only an effect is certain. */
	Report afterDoubtedCommit() {
		return (isEffect() || this.kind == Kind.UNOBSERVED) ? this : UNKNOWN;
	}

	/**
	 * Decides what is recorded, and withdraws the receipt of a run that says it took no
	 * effect. The order of the questions counts where the answers contradict one another:
	 * what was known before the run outweighs the report, and the receipt outweighs every
	 * report but that of an effect.
	 * @param begun whether code of the operation has begun in any run
	 * @param refused whether the latest run was refused
	 */
	End toEnd(Decision decision, boolean begun, boolean refused, WhenFailed whenFailed) {
		if (this.kind == Kind.UNOBSERVED) {
			return End.UNOBSERVED;
		}
		if (decision instanceof Decision.Recover) {
			return (isEffect() && !refused) ? End.proven(this.answer) : End.DONE_WITHOUT_ANSWER;
		}
		AttemptReceipt receipt = decision.receipt();
		return (refused ? ofRefusedRun(begun, receipt) : this).toEnd(receipt, decision.endWithoutRun(), whenFailed);
	}

	/** It says nothing of what has taken effect, or has begun. */
	private Report ofRefusedRun(boolean begun, AttemptReceipt receipt) {
		if (receipt.exists()) {
			return FAILED;
		}
		if (isEffect()) {
			return this;
		}
		if (!begun) {
			return NOT_RUN;
		}
		return (this.kind == Kind.UNKNOWN) ? this : FAILED;
	}

	private End toEnd(AttemptReceipt receipt, End withoutRun, WhenFailed whenFailed) {
		if (isEffect()) {
			return End.completed(this.answer);
		}
		boolean notRun = this.kind == Kind.NOT_RUN;
		if (notRun && !receipt.exists() && !receipt.isUnconfirmed()) {
			return withoutRun;
		}
		if (notRun || saysNoEffect()) {
			receipt.withdraw();
		}
		Outcome found = receipt.find();
		if (found != null) {
			return End.proven(found);
		}
		if (receipt.isReused()) {
			return End.RELEASED;
		}
		if (this.kind == Kind.UNKNOWN || receipt.isInDoubt()) {
			return End.UNKNOWN;
		}
		if (isError() && this.answer instanceof Outcome.Stored && !receipt.isUnconfirmed()) {
			return End.error(this.answer);
		}
		if (notRun) {
			return withoutRun;
		}
		boolean released = saysNoEffect() || whenFailed != WhenFailed.UNKNOWN;
		return released ? End.RELEASED : End.UNKNOWN;
	}

	/** What was observed. */
	public enum Kind {

		EFFECT, ERROR, ERROR_WITHOUT_EFFECT, NO_EFFECT, NOT_RUN, FAILED, UNKNOWN, UNOBSERVED

	}

}

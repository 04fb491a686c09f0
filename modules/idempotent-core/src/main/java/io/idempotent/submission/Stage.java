package io.idempotent.submission;

import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.End.Unanswered;

/** How far a submission has come, in all runs of a caller that retries. */
enum Stage {

	/** No code of the operation has begun. */
	NOT_BEGUN,

	/** The latest run was refused, and none has begun. */
	REFUSED,

	BEGUN,

	/** The latest run was refused, after another one had begun. */
	BEGUN_THEN_REFUSED,

	/** It took effect in an attempt whose answer cannot be rebuilt. */
	UNANSWERED,

	/** It gets the answer of an attempt that took effect. */
	REBUILT;

	Stage refused(boolean refused) {
		return switch (this) {
			case NOT_BEGUN, REFUSED -> refused ? REFUSED : NOT_BEGUN;
			case BEGUN, BEGUN_THEN_REFUSED -> refused ? BEGUN_THEN_REFUSED : BEGUN;
			case UNANSWERED, REBUILT -> this;
		};
	}

	Stage begun() {
		return (this == NOT_BEGUN) ? BEGUN : this;
	}

	/** A refused run says nothing of what has taken effect, or has begun. */
	End corrected(End reported, Decision decision) {
		if (decision instanceof Decision.Recover) {
			return correctedRebuild(reported);
		}
		if (this == UNANSWERED) {
			return Unanswered.COMMITTED;
		}
		if (decision.tookEffect() || reported instanceof End.Completed || reported == Unanswered.UNOBSERVED) {
			return reported;
		}
		boolean saysNoEffect = reported == Unanswered.NO_EFFECT || reported instanceof End.RecordedError;
		return switch (this) {
			case REFUSED -> Unanswered.NOT_STARTED;
			case BEGUN_THEN_REFUSED -> saysNoEffect ? Unanswered.FAILED : reported;
			default -> reported;
		};
	}

	private End correctedRebuild(End reported) {
		if (this == UNANSWERED) {
			return End.Completed.BEFORE;
		}
		if (reported instanceof End.Completed done) {
			return new End.Completed(done.outcome(), true);
		}
		// The next repeat rebuilds what is still running.
		return (reported == Unanswered.UNOBSERVED) ? reported : End.Completed.BEFORE;
	}

}

package io.idempotent.submission;

import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;

/**
 * The outcome of a submission that was not refused. The outcome of a refused submission
 * is the {@link io.idempotent.Refusal#code() code} of its refusal.
 */
public enum SubmissionOutcome {

	/**
	 * It ran for the first time, or again after a run without effect, and took effect, as
	 * its response or its receipt says.
	 */
	RUN("run"),

	/** It took over a claim whose owner stopped renewing it, ran, and took effect. */
	RERUN("rerun"),

	/** It ran without a claim, because the store was unavailable, however it ended. */
	UNPROTECTED("unprotected"),

	/**
	 * It got the stored response or result. A method without a result, or a message that
	 * is acknowledged, returned normally without running.
	 */
	REPLAYED("replayed"),

	/** It got a result that the application or its receipt rebuilt. */
	RECOVERED("recovered"),

	/** The application did not permit the replay. */
	REPLAY_DENIED("replay-denied"),

	/** It took no effect, and its key was released. */
	RELEASED("released"),

	/** It took no effect, and its error was recorded to be replayed. */
	ERROR_RECORDED("error-recorded"),

	/** It is unknown whether it took effect. */
	LEFT_UNKNOWN("left-unknown"),

	/**
	 * Another submission took its claim over before it ended. A loss found later, by a
	 * retried write, is counted among the calls of the store.
	 */
	CLAIM_LOST("claim-lost"),

	/** An unexpected exception prevented the decision. */
	UNDECIDED("undecided");

	private final String code;

	SubmissionOutcome(String code) {
		this.code = code;
	}

	/** What decision and end imply. */
	static String codeOf(Decision decision, boolean rebuilt) {
		return (decision instanceof Decision.Refused refused) ? refused.reason().code() : of(decision, rebuilt).code();
	}

	private static SubmissionOutcome of(Decision decision, boolean rebuilt) {
		if (decision instanceof Decision.Replay) {
			return REPLAYED;
		}
		if (rebuilt) {
			return RECOVERED;
		}
		if (decision instanceof Decision.RunUnprotected) {
			return UNPROTECTED;
		}
		Claim claim = decision.claim();
		if (claim == null) {
			return UNDECIDED;
		}
		if (claim.isLostToAnother()) {
			return CLAIM_LOST;
		}
		End end = claim.ended();
		return switch ((end != null) ? end.kind() : End.Kind.COMPLETED) {
			case COMPLETED -> (decision instanceof Decision.Run run && run.rerun()) ? RERUN : RUN;
			case ERROR -> ERROR_RECORDED;
			case RELEASED -> RELEASED;
			case UNKNOWN, UNOBSERVED -> LEFT_UNKNOWN;
		};
	}

	/** The code in metrics and spans. */
	public String code() {
		return this.code;
	}

}

package io.idempotent.engine;

/**
 * How a submission ended that was not refused. One that was refused ended with the
 * {@link io.idempotent.Refusal#code() code} of its refusal instead.
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

	/** It would have been a replay, but the application did not permit that. */
	REPLAY_DENIED("replay-denied"),

	/** It took no effect, and its key was released. */
	RELEASED("released"),

	/** It took no effect, and its error was recorded to be replayed. */
	ERROR_RECORDED("error-recorded"),

	/** It is unknown whether it took effect. */
	LEFT_UNKNOWN("left-unknown"),

	/**
	 * Another submission took its claim over before it ended. A loss that is found after
	 * that, by a write that was retried, is counted among the calls of the store.
	 */
	CLAIM_LOST("claim-lost"),

	/** An unexpected exception prevented the decision. */
	UNDECIDED("undecided");

	private final String code;

	SubmissionOutcome(String code) {
		this.code = code;
	}

	/**
	 * The code in metrics and spans.
	 * @return lower case words, joined by hyphens
	 */
	public String code() {
		return this.code;
	}

}

package io.idempotent.crash;

import java.util.Set;

/**
 * One answer to one submission, and what the database held when it was given.
 *
 * @param submission the submission, as the report shows it
 * @param status the HTTP status
 * @param outcome what was counted: a tag of {@code idempotent.submission}
 * @param effects the rows of the operation in the database
 * @param kept whether the receipt held an answer before the submission
 */
record ProfileAnswer(String submission, int status, String outcome, int effects, boolean kept) {

	private static final Set<String> REPLAYS = Set.of("replayed", "recovered");

	private static final Set<String> EFFECTS = Set.of("run", "rerun");

	private static final Set<String> NO_EFFECTS = Set.of("released", "error-recorded");

	private static final Set<String> RUNS = Set.of("run", "rerun", "released", "error-recorded", "left-unknown",
			"claim-lost");

	/** A success is told of an effect that is not there. */
	boolean isInvented() {
		return this.status < 300 && this.effects == 0;
	}

	/** An error is replayed although the effect is there. */
	boolean isReplayedErrorOfAnEffect() {
		return this.status >= 400 && REPLAYS.contains(this.outcome) && this.effects > 0;
	}

	/** The operation's own 4xx says that nothing took effect, and the effect is there. */
	boolean isDenied() {
		return this.status / 100 == 4 && RUNS.contains(this.outcome) && this.effects > 0;
	}

	/** The answer that the receipt holds is withheld. */
	boolean isWithheld() {
		return this.kept && this.outcome.equals("response-unavailable");
	}

	/** The operation is remembered as done, and the effect is not there. */
	boolean isDoneInVain() {
		return this.outcome.equals("response-unavailable") && this.effects == 0;
	}

	/** What is counted contradicts the database. */
	boolean isMiscounted() {
		return (EFFECTS.contains(this.outcome) && this.effects == 0)
				|| (NO_EFFECTS.contains(this.outcome) && this.effects > 0);
	}

}

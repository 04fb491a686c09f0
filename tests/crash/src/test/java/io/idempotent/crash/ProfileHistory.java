package io.idempotent.crash;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What became of one operation with receipts: all answers, in their order.
 *
 * @param name the profile, the operation and what happened
 * @param answers the answers
 */
record ProfileHistory(String name, List<Answer> answers) {

	private static final Set<String> REPLAYS = Set.of("replayed", "recovered");

	private static final Set<String> EFFECTS = Set.of("run", "rerun");

	private static final Set<String> NO_EFFECTS = Set.of("released", "error-recorded");

	private static final Set<String> RUNS = Set.of("run", "rerun", "released", "error-recorded", "left-unknown",
			"claim-lost");

	/**
	 * Compares each answer, each recorded outcome and each replay with row and receipt.
	 * @return what contradicts them, a line each
	 */
	List<String> contradictions() {
		return Stream.of(Contradiction.values())
			.filter((each) -> this.answers.stream().anyMatch(each.of))
			.map((each) -> each + ": " + this.name + " " + this.answers)
			.toList();
	}

	/**
	 * One answer to one submission, and what the database held when it was given.
	 *
	 * @param submission the submission, as the report shows it
	 * @param status the HTTP status
	 * @param outcome what was counted: a tag of {@code idempotent.submission}
	 * @param effects the rows of the operation in the database
	 * @param kept whether the receipt held an answer before the submission
	 */
	record Answer(String submission, int status, String outcome, int effects, boolean kept) {
	}

	enum Contradiction {

		TWO_EFFECTS((answer) -> answer.effects() > 1),

		/** A success reports an effect that is not there. */
		INVENTED((answer) -> answer.status() < 300 && answer.effects() == 0),

		/** An error is replayed although the effect is there. */
		ERROR_REPLAYED(
				(answer) -> answer.status() >= 400 && REPLAYS.contains(answer.outcome()) && answer.effects() > 0),

		/** The operation's own 4xx denies an effect that is there. */
		DENIED((answer) -> answer.status() / 100 == 4 && RUNS.contains(answer.outcome()) && answer.effects() > 0),

		/** The answer that the receipt holds is withheld. */
		WITHHELD((answer) -> answer.kept() && answer.outcome().equals("response-unavailable")),

		/** The operation is remembered as done, and the effect is not there. */
		DONE_IN_VAIN((answer) -> answer.outcome().equals("response-unavailable") && answer.effects() == 0),

		/** What is counted contradicts the database. */
		MISCOUNTED((answer) -> EFFECTS.contains(answer.outcome()) ? answer.effects() == 0
				: NO_EFFECTS.contains(answer.outcome()) && answer.effects() > 0);

		@SuppressWarnings("ImmutableEnumChecker")
		private final Predicate<Answer> of;

		Contradiction(Predicate<Answer> of) {
			this.of = of;
		}

	}

}

package io.idempotent.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What became of one operation with receipts: all answers, in their order.
 *
 * @param name the profile, the operation and what happened
 * @param answers the answers
 */
record ProfileHistory(String name, List<ProfileAnswer> answers) {

	/**
	 * Compares each answer, each recorded outcome and each replay with row and receipt.
	 * @return what contradicts them, a line each
	 */
	List<String> contradictions() {
		List<String> found = new ArrayList<>();
		find(found, "two effects", (answer) -> answer.effects() > 1);
		find(found, "an effect that is not there", ProfileAnswer::isInvented);
		find(found, "an error replayed in place of an effect", ProfileAnswer::isReplayedErrorOfAnEffect);
		find(found, "an effect denied", ProfileAnswer::isDenied);
		find(found, "a kept answer withheld", ProfileAnswer::isWithheld);
		find(found, "done without an effect", ProfileAnswer::isDoneInVain);
		find(found, "a wrong count", ProfileAnswer::isMiscounted);
		return found;
	}

	private void find(List<String> found, String what, Predicate<ProfileAnswer> is) {
		if (this.answers.stream().anyMatch(is)) {
			found.add(what + ": " + this.name + " " + this.answers);
		}
	}

}

package io.idempotent.crash;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What came of a {@link Trial}.
 *
 * @param trial the trial
 * @param first what the first submission was told, or {@code null} if its process died
 * @param second what the second submission was told in the end, by another process
 * @param third what one more submission was told after all that
 * @param effects the effects in the database at the very end
 */
record Observation(Trial trial, @Nullable Answer first, Answer second, Answer third, List<Long> effects) {

	/**
	 * As it stands in the published table.
	 * @return the number of effects and what the submissions were told
	 */
	String outcome() {
		int count = this.effects.size();
		String number = (count > 1) ? "**" + count + "**" : String.valueOf(count);
		String outcome = number + ", " + this.second.word();
		return (this.first != null) ? outcome + "; late: " + this.first.word() : outcome;
	}

	/**
	 * Whether the operation took effect more than once.
	 * @return whether it did
	 */
	boolean isDuplicated() {
		return this.effects.size() > 1;
	}

	/**
	 * Whether an effect was acknowledged that is not there.
	 * @return whether one was
	 */
	boolean isLost() {
		return Stream.of(this.first, this.second, this.third)
			.filter(Objects::nonNull)
			.map(Answer::effect)
			.filter(Objects::nonNull)
			.anyMatch((effect) -> !this.effects.contains(effect));
	}

}

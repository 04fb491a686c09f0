package io.idempotent.crash;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the judge of a sweep finds that no sweep shows.
 */
class ObservationTests {

	private static final Trial TRIAL = new Trial(Treatment.RERUN, CrashPoint.AFTER_COMMIT, "key", true);

	private static final Answer REFUSED = new Answer("outcome-unknown", null);

	@Test
	void noEffectThatNobodyAcknowledgedIsNotLost() {
		assertThat(observe(null, REFUSED, List.of()).isLost()).isFalse();
	}

	@Test
	void aSecondEffectIsADuplicateEvenIfUnacknowledged() {
		assertThat(observe(runs(7), runs(8), List.of(7L, 8L)).outcome()).isEqualTo("**2**, runs; late: runs");
		assertThat(observe(null, REFUSED, List.of(7L, 8L)).isDuplicated()).isTrue();
	}

	@Test
	void anAcknowledgedEffectMissingInTheDatabaseIsLost() {
		assertThat(observe(runs(7), REFUSED, List.of()).isLost()).isTrue();
		assertThat(observe(null, runs(7), List.of()).isLost()).isTrue();
		assertThat(observe(null, replayed(7), List.of(8L)).isLost()).isTrue();
		assertThat(new Observation(TRIAL, null, REFUSED, replayed(7), List.of()).isLost()).isTrue();
	}

	private static Observation observe(@Nullable Answer first, Answer second, List<Long> effects) {
		return new Observation(TRIAL, first, second, second, effects);
	}

	private static Answer runs(long effect) {
		return new Answer(Answer.RUNS, effect);
	}

	private static Answer replayed(long effect) {
		return new Answer(Answer.REPLAYED, effect);
	}

}

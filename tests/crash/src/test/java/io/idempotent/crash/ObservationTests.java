package io.idempotent.crash;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The judge of a sweep, before it judges one.
 */
class ObservationTests {

	private static final Trial TRIAL = new Trial(Treatment.RERUN, CrashPoint.AFTER_COMMIT, "key", true);

	private static final Answer REFUSED = new Answer("outcome-unknown", null);

	@Test
	void oneReplayedEffectIsCorrect() {
		Observation well = observe(null, replayed(7), List.of(7L));
		assertThat(well.isDuplicated()).isFalse();
		assertThat(well.isLost()).isFalse();
		assertThat(well.outcome()).isEqualTo("1, replayed");
	}

	@Test
	void noEffectThatNobodyAcknowledgedIsNotLost() {
		Observation unknown = observe(null, REFUSED, List.of());
		assertThat(unknown.isDuplicated()).isFalse();
		assertThat(unknown.isLost()).isFalse();
		assertThat(unknown.outcome()).isEqualTo("0, outcome-unknown");
	}

	@Test
	void aSecondEffectIsADuplicateEvenIfUnacknowledged() {
		Observation twice = observe(runs(7), runs(8), List.of(7L, 8L));
		assertThat(twice.isDuplicated()).isTrue();
		assertThat(twice.isLost()).isFalse();
		assertThat(twice.outcome()).isEqualTo("**2**, runs; late: runs");
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

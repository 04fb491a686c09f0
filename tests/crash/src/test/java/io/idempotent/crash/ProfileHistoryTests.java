package io.idempotent.crash;

import java.util.List;

import io.idempotent.crash.ProfileHistory.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The judge of the profile sweep finds each bug that it was written for.
 */
class ProfileHistoryTests {

	@Test
	void oneEffectAndItsReplayContradictNothing() {
		assertThat(contradictions(new Answer("first", 500, "released", 0, false),
				new Answer("second", 500, "run", 1, false), new Answer("third", 409, "response-unavailable", 1, false),
				new Answer("fourth", 200, "recovered", 1, true)))
			.isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "500, replayed, 1, false, ERROR_REPLAYED", "409, replayed, 1, false, ERROR_REPLAYED",
			"409, run, 1, false, DENIED", "409, response-unavailable, 1, true, WITHHELD",
			"404, run, 0, false, MISCOUNTED", "500, error-recorded, 1, false, MISCOUNTED",
			"200, run, 0, false, INVENTED", "200, run, 2, false, TWO_EFFECTS",
			"409, response-unavailable, 0, false, DONE_IN_VAIN" })
	void isFound(int status, String outcome, int effects, boolean kept, String contradiction) {
		assertThat(contradictions(new Answer("first", 500, "run", 1, false),
				new Answer("second", status, outcome, effects, kept)))
			.anyMatch((line) -> line.startsWith(contradiction));
	}

	private static List<String> contradictions(Answer... answers) {
		return new ProfileHistory("test", List.of(answers)).contradictions();
	}

}

package io.idempotent.crash;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The judge of the profile sweep finds each bug that it was written for.
 */
class ProfileHistoryTests {

	@Test
	void oneEffectAndItsReplayContradictNothing() {
		assertThat(history(new ProfileAnswer("first", 500, "run", 1, false), refused(1),
				new ProfileAnswer("third", 200, "recovered", 1, true)))
			.isEmpty();
		assertThat(history(new ProfileAnswer("first", 500, "released", 0, false),
				new ProfileAnswer("second", 200, "run", 1, false)))
			.isEmpty();
	}

	@Test
	void anErrorThatIsReplayedAfterALostReplyIsFound() {
		assertFound("an error replayed in place of an effect", new ProfileAnswer("first", 500, "run", 1, false),
				new ProfileAnswer("second", 500, "replayed", 1, false));
	}

	@Test
	void aConflictThatIsReplayedAfterALateCommitIsFound() {
		assertFound("an error replayed in place of an effect", new ProfileAnswer("first", 500, "released", 0, false),
				refused(1), new ProfileAnswer("third", 409, "replayed", 1, false));
	}

	@Test
	void aConflictThatDeniesTheEffectIsFound() {
		assertFound("an effect denied", new ProfileAnswer("second", 409, "run", 1, false));
	}

	@Test
	void aStoredAnswerThatIsNotReplayedIsFound() {
		assertFound("a kept answer withheld", new ProfileAnswer("second", 409, "response-unavailable", 1, true));
	}

	@Test
	void countsThatContradictTheDatabaseAreFound() {
		assertFound("a wrong count", new ProfileAnswer("first", 404, "run", 0, false));
		assertFound("a wrong count", new ProfileAnswer("first", 500, "error-recorded", 1, false));
	}

	@Test
	void effectsThatAreMissingOrRepeatedAreFound() {
		assertFound("an effect that is not there", new ProfileAnswer("first", 200, "run", 0, false));
		assertFound("two effects", new ProfileAnswer("second", 200, "run", 2, false));
		assertFound("done without an effect", refused(0));
	}

	private static void assertFound(String contradiction, ProfileAnswer... answers) {
		assertThat(history(answers)).anyMatch((line) -> line.startsWith(contradiction));
	}

	private static ProfileAnswer refused(int effects) {
		return new ProfileAnswer("repeat", 409, "response-unavailable", effects, false);
	}

	private static List<String> history(ProfileAnswer... answers) {
		return new ProfileHistory("test", List.of(answers)).contradictions();
	}

}

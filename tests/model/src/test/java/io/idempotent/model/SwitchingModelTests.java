package io.idempotent.model;

import java.nio.file.Path;
import java.util.List;

import io.idempotent.model.SpinModel.Verification;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The protocol by which nodes switch lock engines, in every state that the model in
 * {@code switching.pml} can reach. README.md of this module explains the model.
 */
@Tag("slow")
class SwitchingModelTests {

	private SpinModel model;

	private String test;

	@BeforeEach
	void setUp(@TempDir Path directory, TestInfo info) {
		List<String> missing = SpinModel.missingCommands();
		assumeTrue(missing.isEmpty(), () -> "Not found: " + missing
				+ ". The model is checked by spin and a C compiler: apt-get install spin gcc, or brew install spin");
		this.model = new SpinModel("switching.pml", directory);
		this.test = info.getDisplayName();
	}

	@Nested
	class Protocol {

		@Test
		void noTwoNodesHoldTheLockInThreeEpochs() {
			assertHolds(SwitchingModelTests.this.model.verifyStates("EPOCHS=3"));
		}

		@Test
		void tokensGrow() {
			assertHolds(SwitchingModelTests.this.model.verifyStates("EPOCHS=2", "TOKENS=2"));
		}

		@Test
		void switchEndsIfFailuresEnd() {
			assertHolds(SwitchingModelTests.this.model.verifyRuns("EPOCHS=2", "LIVENESS"));
		}

	}

	@Nested
	@Execution(ExecutionMode.CONCURRENT)
	class Mutants {

		@ParameterizedTest
		@ValueSource(strings = { "NO_MARGIN", "LEASE_FROM_REPLY", "GRANTS_BEFORE_JOINING", "STOPS_LATE",
				"CONFIRMS_HOLDING", "COMPLETES_UNCONFIRMED", "REPEATS_SWITCH_ID", "REPEATS_BEAT", "WRITES_BLINDLY",
				"ADMITS_WHILE_DRAINING", "ADMITS_OF_EARLIER_EPOCH", "ADMITS_WITHOUT_MEMBERSHIP", "REVIVES_HOLDS",
				"KEEPS_GRANTING" })
		void twoNodesHoldTheLock(String mutant) {
			assertThat(caught(SwitchingModelTests.this.model.verifyStates("EPOCHS=3", "MUTANT", "MUTANT_" + mutant)))
				.as("the condition in alone()")
				.contains("(i==n)||");
		}

		@ParameterizedTest
		@ValueSource(strings = { "ADMITS_ENDED_GRANT", "TOKEN_WITHOUT_EPOCH" })
		void tokenIsNotGreater(String mutant) {
			assertThat(caught(
					SwitchingModelTests.this.model.verifyStates("EPOCHS=2", "TOKENS=2", "MUTANT", "MUTANT_" + mutant)))
				.contains(">lastToken");
		}

		@Test
		void switchNeverEndsIfNoMemberExpires() {
			assertThat(
					caught(SwitchingModelTests.this.model.verifyRuns("EPOCHS=2", "LIVENESS", "MUTANT_NEVER_EXPIRES")))
				.contains("acceptance cycle");
		}

	}

	private void assertHolds(Verification verification) {
		report(verification);
		assertThat(verification.errors()).as(verification.violated()).isZero();
		assertThat(verification.complete()).as("every state was visited").isTrue();
	}

	private String caught(Verification verification) {
		report(verification);
		assertThat(verification.errors()).as("counterexamples").isEqualTo(1);
		return verification.violated();
	}

	private void report(Verification verification) {
		System.out.printf("%s: %,d states, depth %,d, errors: %d%n", this.test, verification.states(),
				verification.depth(), verification.errors());
	}

}

package io.idempotent.steps.internal;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.idempotent.steps.StepAdministration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Steps that fail, and their settlement.
 */
@Timeout(30)
class StepFailureTests {

	@AutoClose
	private final StepsDatabase database = StepsDatabase.h2();

	@AutoClose
	private final ResumableNode at = new ResumableNode();

	@Test
	void aTransactionalStepThatFailedInAnOutageMayBeRetried() {
		AtomicBoolean away = new AtomicBoolean();
		DataSource dataSource = this.database.awayWhile(away::get);
		try (StepsNode node = new StepsNode(dataSource)) {
			String result = node.run("1", (steps) -> {
				assertThatIllegalStateException().isThrownBy(() -> steps.transactional("book", String.class, () -> {
					away.set(true);
					throw new IllegalStateException("The database is away");
				}));
				away.set(false);
				return steps.transactional("book", String.class, () -> "booked");
			});
			assertThat(result).isEqualTo("booked");
		}
	}

	@Test
	void anExceptionThatCannotBeWrittenReachesTheCaller() {
		try (StepsNode node = new StepsNode(this.database.dataSource())) {
			assertThatExceptionOfType(Silent.class)
				.isThrownBy(() -> node.run("1", (steps) -> steps.external("charge", String.class, (key) -> {
					throw new Silent();
				})));
		}
	}

	private static final class Silent extends RuntimeException {

		private static final long serialVersionUID = 1L;

		@Override
		@SuppressWarnings({ "OverrideThrowableToString", "ToStringReturnsNull" })
		public String toString() {
			return null;
		}

	}

	@Test
	void aResultThatIsNoJsonIsNotConfirmed() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.at.node.run("1", (steps) -> steps.external("charge", String.class, (key) -> {
				throw new IllegalStateException("The provider is away");
			})))
			.withMessage("The provider is away");
		StepAdministration administration = this.at.node.steps().administration();
		for (String result : List.of("no JSON", "[".repeat(2000) + "]".repeat(2000))) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> administration.confirm(StepsNode.key("1"), "charge", result, "alice", "I looked"))
				.withMessageContaining("JSON");
		}
		assertThat(this.at.find("1").steps()).singleElement().matches((step) -> step.interrupted(), "may be settled");
	}

	@Test
	void aNameThatTheTablesWouldShortenIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> StepRules.requireRoom("The name of operation", "x".repeat(256)))
			.withMessageContaining("255");
	}

}

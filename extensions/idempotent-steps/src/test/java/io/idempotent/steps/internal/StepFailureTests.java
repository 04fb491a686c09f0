package io.idempotent.steps.internal;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import io.idempotent.function.ThrowingFunction;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepAdministration;
import io.idempotent.steps.StepVerifier;
import io.idempotent.steps.WhenChanged;
import io.idempotent.store.Owner;
import io.idempotent.testing.ObservedDataSource;
import org.aopalliance.intercept.MethodInvocation;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.util.Assert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Steps that fail, their settlement, and ends that cannot be recorded at once.
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
		try (StepsNode node = new StepsNode(this.database.awayWhile(away::get))) {
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

	/** As a handler of observations does whose backend is away. */
	@Test
	void anObserverThatFailsBeforeACallLeavesNoInterruptedStep() {
		AtomicBoolean away = new AtomicBoolean(true);
		StepObserver observer = new StepObserver() {

			@Override
			public <T extends @Nullable Object, X extends Throwable> T observe(String operation, String step,
					String kind, ThrowingSupplier<T, X> code) throws X {
				Assert.state(!away.get(), "The backend of traces is away");
				return code.get();
			}

		};
		try (StepsNode node = new StepsNode(this.database.dataSource(), observer)) {
			ThrowingFunction<OperationSteps, String, RuntimeException> pay = (steps) -> steps.external("charge",
					String.class, (key) -> "charged", StepVerifier.none());
			assertThatIllegalStateException().isThrownBy(() -> node.run("1", pay))
				.withMessage("The backend of traces is away");
			away.set(false);
			assertThat(node.run("1", pay)).isEqualTo("charged");
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

	/** As that of MySQL with {@code defaultFetchSize=-2147483648}. */
	@Test
	void stepsAreListedWithADriverThatStreams() {
		DataSource streaming = ObservedDataSource.intercept(this.database.dataSource(),
				(call) -> streamed(call, new AtomicReference<>()));
		try (StepsNode node = new StepsNode(streaming)) {
			for (String key : List.of("1", "2")) {
				assertThatIllegalStateException().isThrownBy(() -> node.run(key, (steps) -> {
					steps.external("charge", (charge) -> {
					});
					throw new IllegalStateException();
				}));
			}
			assertThat(node.steps().administration().unfinished(2)).hasSize(2)
				.allSatisfy((operation) -> assertThat(operation.steps()).hasSize(1));
		}
	}

	private static Object streamed(MethodInvocation call, AtomicReference<ResultSet> rows) throws Throwable {
		if (call.getMethod().getName().startsWith("execute") && rows.get() != null && !rows.get().isClosed()) {
			throw new SQLException("No statements may be issued when any streaming result sets are open");
		}
		Object result = call.proceed();
		if (result instanceof ResultSet read) {
			rows.set(read);
		}
		return (result instanceof Connection || result instanceof Statement)
				? ObservedDataSource.intercept(result, (next) -> streamed(next, rows)) : result;
	}

	@Test
	void aNameThatTheTablesWouldShortenIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> StepTables.requireRoom("The name of operation", "x".repeat(256)))
			.withMessageContaining("255");
	}

	@Test
	void theEndIsNotedOnceTheDatabaseIsBack() {
		AtomicBoolean away = new AtomicBoolean();
		try (StepsNode node = new StepsNode(this.database.awayWhile(away::get))) {
			node.run("1", (steps) -> {
				String charge = steps.external("charge", String.class, (key) -> key);
				away.set(true);
				return charge;
			});
			node.steps().flush();
			away.set(false);
			node.steps().flush();
			assertThat(node.steps().administration().unfinished(1)).isEmpty();
		}
	}

	/** As a routing DataSource without a target, or a pool that is closed and opened. */
	@Test
	void aDataSourceThatThrowsOnceDoesNotEndTheThreadThatNotesEnds() {
		AtomicInteger failures = new AtomicInteger();
		DataSource failing = ObservedDataSource.beforeConnections(this.database.dataSource(), () -> {
			if (Thread.currentThread().getName().contains("ended") && failures.getAndIncrement() == 0) {
				throw new IllegalStateException("Cannot determine target DataSource");
			}
		});
		try (StepsNode node = new StepsNode(failing)) {
			node.run("1", (steps) -> steps.external("charge", String.class, (key) -> key));
			Awaitility.await().until(() -> failures.get() > 0);
			node.run("2", (steps) -> steps.external("charge", String.class, (key) -> key));
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(node.steps().administration().find(StepsNode.key("2")).orElseThrow().endedAt())
							.isNotNull());
		}
	}

	/** Each connection may take the connection timeout of the pool, such as 30 s. */
	@Test
	void anApplicationThatStopsInAnOutageAsksForOneConnection() {
		AtomicInteger asked = new AtomicInteger();
		DataSource away = this.database.awayWhile(() -> asked.incrementAndGet() > 0);
		EndedOperations ended = new EndedOperations(
				new StepTables(away, StepsNode.settings(WhenChanged.REFUSE)).statements());
		for (int i = 0; i < 10_000; i++) {
			ended.add(StepsNode.key("1"), Owner.draw(new SecureRandom()));
		}
		ended.close();
		assertThat(asked).hasValue(1);
	}

}

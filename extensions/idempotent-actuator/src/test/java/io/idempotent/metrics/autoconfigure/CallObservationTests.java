package io.idempotent.metrics.autoconfigure;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.IdempotencyTemplate.Entry;
import io.idempotent.Idempotent;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.observation.SubmissionObservationContext;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.testing.TestDatabase;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * The observation of calls: annotated methods and the template.
 */
class CallObservationTests {

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, TransactionAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class, IdempotentObservationAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local")
		.withBean(DataSource.class, () -> TestDatabase.h2().dataSource())
		.withBean(TestObservationRegistry.class, () -> this.registry)
		.withBean(Mailer.class);

	@Test
	void aMethodIsObservedWithItsRepeats() {
		this.runner.run((context) -> {
			Mailer mailer = context.getBean(Mailer.class);
			mailer.count("k");
			mailer.count("k");
			assertThat(outcomes()).containsExactly("run", "replayed");
			assertThat(contexts().get(0).getOperation()).isEqualTo("Mailer.count");
			assertThat(contexts().get(0).getEntrance()).isEqualTo(Entrance.METHOD);
		});
	}

	@Test
	void aRepeatWithoutAResultCountsAsReplayed() {
		this.runner.run((context) -> {
			Mailer mailer = context.getBean(Mailer.class);
			mailer.send("k");
			mailer.send("k");
			assertThat(outcomes()).containsExactly("run", "replayed");
		});
	}

	@Test
	void anExceptionIsTheErrorOfItsObservation() {
		run((template) -> {
			assertThatIllegalStateException().isThrownBy(() -> template.executeWithoutResult("op", "k", (context) -> {
				throw new IllegalStateException("broken");
			}));
			assertThat(outcomes()).containsExactly("released");
			assertThat(contexts().get(0).getError()).hasMessage("broken");
		});
	}

	@Test
	void aCallWithoutAKeyIsRefused() {
		run((template) -> {
			assertThatExceptionOfType(SubmissionRefusedException.class)
				.isThrownBy(() -> template.executeWithoutResult("op", null, (context) -> {
				}));
			assertThat(outcomes()).containsExactly("key-missing");
		});
	}

	@Test
	void aCallWithinItselfIsObservedOnce() {
		run((template) -> {
			template.executeWithoutResult("op", "k", (outer) -> template.executeWithoutResult("op", "k", (inner) -> {
			}));
			assertThat(outcomes()).containsExactly("run");
		});
	}

	@Test
	void aCallWithinAnotherIsItsChild() {
		run((template) -> {
			template.executeWithoutResult("outer", "k",
					(outer) -> template.executeWithoutResult("inner", "k", (inner) -> {
					}));
			assertThat(contexts()).hasSize(2);
			assertThat(contexts().get(1).getParentObservation().getContextView()).isSameAs(contexts().get(0));
			assertThat(this.registry.getCurrentObservation()).isNull();
		});
	}

	@Test
	void anAttemptEndsWithItsSecondCall() {
		run((template) -> {
			var proceed = (Entry.Proceed<?>) template.before("op", "k");
			assertThat(contexts().get(0).getOutcome()).isNull();
			assertThat(template.before("op", "k")).isInstanceOf(Entry.Refused.class);
			proceed.attempt().succeeded(null);
			assertThat(template.before("op", "k")).isInstanceOf(Entry.Duplicate.class);
			assertThat(outcomes()).containsExactly("run", "in-progress", "replayed");
		});
	}

	@Test
	void theObservationEndsAfterTheCommit() {
		this.runner.run((context) -> {
			IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
			context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				template.executeWithoutResult("op", "k", (ignored) -> {
				});
				assertThat(contexts().get(0).getOutcome()).isNull();
			});
			assertThat(outcomes()).containsExactly("run");
		});
	}

	@Test
	void aCallThatFailedInACommittedTransactionHasRunLikeItsRepeat() {
		this.runner.run((context) -> {
			IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
			context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				assertThatIllegalStateException().isThrownBy(() -> template.executeWithoutResult("op", "k", (first) -> {
					throw new IllegalStateException("first");
				}));
				template.executeWithoutResult("op", "k", (second) -> {
				});
			});
			assertThat(outcomes()).containsExactly("run", "run");
		});
	}

	@Test
	void anUnexpectedFailureOfTheStoreLeavesTheSubmissionUndecided() {
		IdempotencyStore broken = mock();
		given(broken.claim(any())).willThrow(new IllegalStateException("no claims"));
		this.runner.withBean(IdempotencyStore.class, () -> broken).run((context) -> {
			IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
			assertThatIllegalStateException().isThrownBy(() -> template.executeWithoutResult("op", "k", (ignored) -> {
			}));
			assertThat(outcomes()).containsExactly("undecided");
			assertThat(contexts().get(0).getError()).hasMessage("no claims");
		});
	}

	@Test
	void concurrentCallsAreObservedSeparately() {
		run((template) -> {
			List<CompletableFuture<Void>> calls = IntStream.range(0, 50)
				.mapToObj((number) -> CompletableFuture
					.runAsync(() -> template.executeWithoutResult("op", number / 2, (context) -> {
					}))
					.exceptionally((ex) -> null))
				.toList();
			calls.forEach(CompletableFuture::join);
			assertThat(outcomes()).hasSize(50).filteredOn("run"::equals).hasSize(25);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "start", "open", "close", "error", "stop" })
	void aFailingHandlerDoesNotDisturbTheOperation(String broken) {
		this.registry.observationConfig().observationHandler(new FailingHandler(broken));
		run((template) -> {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> template.executeWithoutResult("op", "k", (context) -> {
					throw new IllegalArgumentException("of the application");
				}))
				.withMessage("of the application");
			assertThat(template.execute("op", "k", Integer.class, (context) -> 7)).isEqualTo(7);
			assertThat(template.execute("op", "k", Integer.class, (context) -> 8)).isEqualTo(7);
			assertThat(this.registry.getCurrentObservationScope()).isNull();
		});
	}

	private void run(Consumer<IdempotencyTemplate> test) {
		this.runner.run((context) -> test.accept(context.getBean(IdempotencyTemplate.class)));
	}

	private List<String> outcomes() {
		return contexts().stream().map((context) -> context.getLowCardinalityKeyValue("outcome").getValue()).toList();
	}

	private List<SubmissionObservationContext> contexts() {
		CompletableFuture<List<Observation.Context>> all = new CompletableFuture<>();
		TestObservationRegistryAssert.assertThat(this.registry).hasHandledContextsThatSatisfy(all::complete);
		return all.join()
			.stream()
			.filter(SubmissionObservationContext.class::isInstance)
			.map(SubmissionObservationContext.class::cast)
			.toList();
	}

	static class Mailer {

		private int sent;

		@Idempotent(key = "#key")
		int count(String key) {
			return ++this.sent;
		}

		@Idempotent(key = "#key")
		void send(String key) {
			this.sent++;
		}

	}

	private record FailingHandler(String broken) implements ObservationHandler<Observation.Context> {

		private void failIn(String callback) {
			if (callback.equals(this.broken)) {
				throw new IllegalStateException("a defect");
			}
		}

		@Override
		public void onStart(Observation.Context context) {
			failIn("start");
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			failIn("open");
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			failIn("close");
		}

		@Override
		public void onError(Observation.Context context) {
			failIn("error");
		}

		@Override
		public void onStop(Observation.Context context) {
			failIn("stop");
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}

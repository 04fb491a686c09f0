package io.idempotent.method;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.Idempotent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What a caller of an annotated bean method sees.
 */
class IdempotentMethodTests {

	private final State state = new State();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, JacksonAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local")
		.withBean(State.class, () -> this.state)
		.withBean(Service.class)
		.withBean(Charges.class);

	@Test
	void aDuplicateGetsTheFirstResultAndRunsNothing() {
		run((service) -> {
			Receipt first = service.charge("o-1", new BigDecimal("9.90"));
			assertThat(service.charge("o-1", new BigDecimal("9.90"))).isEqualTo(first).isNotSameAs(first);
			assertThat(service.charge("o-2", new BigDecimal("9.90"))).isNotEqualTo(first);
			assertThat(this.state.runs).hasValue(2);
		});
	}

	@Test
	void argumentsOutsideTheKeyAreNotCompared() {
		run((service) -> {
			Receipt first = service.charge("o-1", new BigDecimal("9.90"));
			assertThat(service.charge("o-1", new BigDecimal("100"))).isEqualTo(first);
		});
	}

	@Test
	void genericResultsAreRestored() {
		run((service) -> {
			Map<String, List<Receipt>> first = service.byCustomer("k");
			assertThat(service.byCustomer("k")).isEqualTo(first).isNotSameAs(first);
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void aTypeVariableIsResolvedForTheBean() {
		this.runner.run((context) -> {
			Charges charges = context.getBean(Charges.class);
			Receipt first = charges.handle("k");
			assertThat(charges.handle("k")).isEqualTo(first).isInstanceOf(Receipt.class);
		});
	}

	@Test
	void nothingAndAnEmptyOptionalAreTwoResults() {
		run((service) -> {
			assertThat(service.find("absent")).isEmpty();
			assertThat(service.find("absent")).isEmpty();
			assertThat(service.find("null")).isNull();
			assertThat(service.find("null")).isNull();
			assertThat(service.find("there")).isEqualTo(service.find("there")).isPresent();
			assertThat(this.state.runs).hasValue(3);
		});
	}

	@Test
	void primitivesAndTextsComeBack() {
		run((service) -> {
			assertThat(service.count("k")).isEqualTo(service.count("k")).isEqualTo(1);
			assertThat(service.text("k")).isEqualTo(service.text("k")).isEqualTo("ä\"\n✓");
		});
	}

	@Test
	void aMethodWithoutAResultRunsOnce() {
		run((service) -> {
			service.send("k");
			service.send("k");
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void theKeyMayBeAnObjectOfWhichTheContentCounts() {
		run((service) -> {
			service.order(new Order("book", 1), Map.of());
			service.order(new Order("book", 1), Map.of("other", "argument"));
			service.order(new Order("book", 2), Map.of());
			assertThat(this.state.runs).hasValue(2);
		});
	}

	@Test
	void anExceptionReleasesTheClaim() {
		run((service) -> {
			this.state.fails = true;
			assertThatIllegalStateException().isThrownBy(() -> service.send("k")).withMessage("no");
			this.state.fails = false;
			service.send("k");
			assertThat(this.state.runs).hasValue(2);
		});
	}

	@Test
	void anExceptionLeavesTheOutcomeUnknownIfConfigured() {
		run((service) -> {
			this.state.fails = true;
			assertThatIllegalStateException().isThrownBy(() -> service.careful("k")).withMessage("no");
			refuses(Refusal.OUTCOME_UNKNOWN, () -> service.careful("k"));
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void aDuplicateIsRefusedIfConfigured() {
		run((service) -> {
			assertThat(service.once("k")).isNotNull();
			refuses(Refusal.DUPLICATE, () -> service.once("k"));
			service.burnt("k");
			refuses(Refusal.DUPLICATE, () -> service.burnt("k"));
		});
	}

	@Test
	void withoutAKeyNothingRuns() {
		run((service) -> {
			refuses(Refusal.KEY_MISSING, () -> service.send(null));
			refuses(Refusal.KEY_MISSING, () -> service.send(""));
			refuses(Refusal.KEY_MISSING, () -> service.order(null, Map.of()));
			assertThat(this.state.runs).hasValue(0);
		});
	}

	@Test
	void ofManyAtOnceOneRunsAndTheOthersWaitForItsResult() {
		run((service) -> {
			List<Receipt> answers = inParallel(16, () -> service.slow("k"));
			assertThat(answers).hasSize(16).containsOnly(answers.get(0));
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void aRunningCallRefusesTheOthers() {
		run((service) -> {
			List<Throwable> refused = new ArrayList<>();
			this.state.during = () -> {
				try {
					inParallel(1, () -> service.charge("o-1", BigDecimal.ONE));
				}
				catch (Exception ex) {
					refused.add(ex.getCause());
				}
			};
			service.charge("o-1", BigDecimal.ONE);
			assertThat(refused).singleElement()
				.isInstanceOfSatisfying(SubmissionRefusedException.class,
						(ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.IN_PROGRESS));
		});
	}

	@Test
	void aCallOfTheMethodWithinItsOwnRunBelongsToTheRun() {
		run((service) -> {
			assertThat(service.recursive("k", 3)).isEqualTo(4);
			assertThat(service.recursive("k", 3)).isEqualTo(4);
			assertThat(this.state.runs).hasValue(4);
		});
	}

	@Test
	void propertiesReachAMethod() {
		this.runner.withPropertyValues("idempotent.operations[Service.charge].when-completed=reject").run((context) -> {
			Service service = context.getBean(Service.class);
			service.charge("o-1", BigDecimal.ONE);
			refuses(Refusal.DUPLICATE, () -> service.charge("o-1", BigDecimal.ONE));
		});
	}

	@Test
	void aResultOverTheLimitIsReturnedButNotReplayed() {
		this.runner.withPropertyValues("idempotent.call.max-result=10B").run((context) -> {
			Service service = context.getBean(Service.class);
			assertThat(service.charge("o-1", BigDecimal.ONE)).isNotNull();
			refuses(Refusal.RESPONSE_UNAVAILABLE, () -> service.charge("o-1", BigDecimal.ONE));
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void aResultThatCannotBeWrittenIsReturnedButNotReplayed() {
		run((service) -> {
			assertThat(service.stubborn("k").name).isEqualTo("k");
			refuses(Refusal.RESPONSE_UNAVAILABLE, () -> service.stubborn("k"));
			assertThat(this.state.runs).hasValue(1);
		});
	}

	private void run(Use use) {
		this.runner.run((context) -> use.of(context.getBean(Service.class)));
	}

	private static void refuses(Refusal reason, ThrowingCallable call) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(reason));
	}

	private static <T> List<T> inParallel(int threads, Callable<T> call) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		CountDownLatch start = new CountDownLatch(threads);
		try {
			List<Future<T>> futures = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				futures.add(executor.submit(() -> {
					start.countDown();
					start.await();
					return call.call();
				}));
			}
			List<T> results = new ArrayList<>();
			for (Future<T> future : futures) {
				results.add(future.get(30, TimeUnit.SECONDS));
			}
			return results;
		}
		finally {
			executor.shutdownNow();
		}
	}

	@FunctionalInterface
	interface Use {

		void of(Service service) throws Exception;

	}

	record Order(String sku, int amount) {
	}

	record Receipt(int number, BigDecimal amount, Instant at, Optional<String> note) {
	}

	static class Stubborn {

		private String name = "";

		public String getName() {
			if (!this.name.isEmpty()) {
				throw new IllegalStateException("not twice");
			}
			return this.name;
		}

		public void setName(String name) {
			this.name = name;
		}

	}

	abstract static class Handler<T> {

		@Idempotent(key = "#id")
		public T handle(String id) {
			return make(id);
		}

		abstract T make(String id);

	}

	static class Charges extends Handler<Receipt> {

		@Override
		Receipt make(String id) {
			return new Receipt(7, BigDecimal.TEN, Instant.EPOCH, Optional.of(id));
		}

	}

	static class State {

		final AtomicInteger runs = new AtomicInteger();

		volatile boolean fails;

		volatile Runnable during = () -> {
		};

	}

	static class Service {

		private final State state;

		@Lazy
		@Autowired
		private Service self;

		Service(State state) {
			this.state = state;
		}

		@Idempotent(key = "#orderId")
		Receipt charge(String orderId, BigDecimal amount) {
			this.state.during.run();
			return new Receipt(this.state.runs.incrementAndGet(), amount, Instant.now(), Optional.empty());
		}

		@Idempotent(key = "#id", whenInProgress = WhenInProgress.WAIT, waitTimeout = "20s")
		Receipt slow(String id) throws InterruptedException {
			TimeUnit.MILLISECONDS.sleep(200);
			return new Receipt(this.state.runs.incrementAndGet(), BigDecimal.ONE, Instant.now(), Optional.empty());
		}

		@Idempotent(key = "#id")
		Map<String, List<Receipt>> byCustomer(String id) {
			return Map.of(id, List.of(new Receipt(this.state.runs.incrementAndGet(), BigDecimal.ONE, Instant.now(),
					Optional.of("note"))));
		}

		@Idempotent(key = "#id")
		@SuppressWarnings("NullableOptional")
		@Nullable Optional<Receipt> find(String id) {
			this.state.runs.incrementAndGet();
			return switch (id) {
				case "absent" -> Optional.empty();
				case "null" -> null;
				default -> Optional.of(new Receipt(1, BigDecimal.ONE, Instant.now(), Optional.empty()));
			};
		}

		@Idempotent(key = "#id")
		int count(String id) {
			return this.state.runs.incrementAndGet();
		}

		@Idempotent(key = "#id")
		String text(String id) {
			return "ä\"\n✓";
		}

		@Idempotent(key = "#id")
		void send(@Nullable String id) {
			this.state.runs.incrementAndGet();
			if (this.state.fails) {
				throw new IllegalStateException("no");
			}
		}

		@Idempotent(key = "#id", whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.REJECT)
		void careful(String id) {
			send(id);
		}

		@Idempotent(key = "#order")
		void order(@Nullable Order order, Map<String, String> headers) {
			this.state.runs.incrementAndGet();
		}

		@Idempotent(key = "#id", whenCompleted = WhenCompleted.REJECT)
		Object once(String id) {
			return this;
		}

		@Idempotent(key = "#id", whenCompleted = WhenCompleted.BURN)
		void burnt(String id) {
			this.state.runs.incrementAndGet();
		}

		@Idempotent(key = "#id")
		int recursive(String id, int depth) {
			this.state.runs.incrementAndGet();
			return (depth == 0) ? 1 : 1 + this.self.recursive(id, depth - 1);
		}

		@Idempotent(key = "#id")
		Stubborn stubborn(String id) {
			this.state.runs.incrementAndGet();
			Stubborn stubborn = new Stubborn();
			stubborn.setName(id);
			return stubborn;
		}

	}

}

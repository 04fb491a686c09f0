package io.idempotent.metrics.autoconfigure;

import java.lang.management.ManagementFactory;
import java.util.List;

import com.sun.management.ThreadMXBean;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.AcquisitionOutcome;
import io.idempotent.lock.engine.LockObserver;
import io.idempotent.lock.observation.DefaultLockObservationConvention;
import io.idempotent.lock.observation.MicrometerLockObserver;
import io.idempotent.observation.DefaultSubmissionObservationConvention;
import io.idempotent.observation.MicrometerSubmissionObserver;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.event.SubmissionObserver;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.submission.event.SubmissionObserver.SubmissionObservation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Answers.RETURNS_DEEP_STUBS;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class IdempotentObservationAutoConfigurationTests {

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class,
						LockAutoConfiguration.class, IdempotentObservationAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local");

	@Test
	void withoutARegistryNothingIsObserved() {
		this.runner.run((context) -> {
			assertThat(context).doesNotHaveBean(SubmissionObserver.class).doesNotHaveBean(LockObserver.class);
		});
	}

	@Test
	void withARegistrySubmissionsAndLocksAreObserved() {
		this.runner.withBean(TestObservationRegistry.class, () -> this.registry).run((context) -> {
			use(context.getBean(IdempotencyTemplate.class), context.getBean(DistributedLocks.class));
			TestObservationRegistryAssert.assertThat(this.registry)
				.hasNumberOfObservationsWithNameEqualTo("idempotent.submission", 1)
				.hasNumberOfObservationsWithNameEqualTo("idempotent.lock", 1);
		});
	}

	@Test
	void conventionsAreReplaced() {
		this.registry.observationConfig().observationConvention(new DefaultSubmissionObservationConvention() {
			@Override
			public String getName() {
				return "shop.submission";
			}
		}).observationConvention(new DefaultLockObservationConvention() {
			@Override
			public String getName() {
				return "shop.lock";
			}
		});
		this.runner.withBean(TestObservationRegistry.class, () -> this.registry).run((context) -> {
			use(context.getBean(IdempotencyTemplate.class), context.getBean(DistributedLocks.class));
			TestObservationRegistryAssert.assertThat(this.registry)
				.hasNumberOfObservationsWithNameEqualTo("shop.submission", 1)
				.hasNumberOfObservationsWithNameEqualTo("shop.lock", 1);
		});
	}

	@Test
	void observersOfTheApplicationWin() {
		this.runner.withBean(TestObservationRegistry.class, () -> this.registry)
			.withBean("own", SubmissionObserver.class, () -> SubmissionObserver.NONE)
			.withBean("ownLock", LockObserver.class, () -> LockObserver.NONE)
			.run((context) -> {
				use(context.getBean(IdempotencyTemplate.class), context.getBean(DistributedLocks.class));
				TestObservationRegistryAssert.assertThat(this.registry).doesNotHaveAnyObservation();
			});
	}

	@Test
	void withATracerRunsKeepTheirTrace() {
		Tracer tracer = mock(RETURNS_DEEP_STUBS);
		TraceContext current = tracer.currentSpan().context();
		given(current.traceId()).willReturn("0af7651916cd43dd8448eb211c80319c");
		given(current.spanId()).willReturn("b7ad6b7169203331");
		given(current.sampled()).willReturn(true);
		this.runner.withBean(TestObservationRegistry.class, () -> this.registry)
			.withBean(Tracer.class, () -> tracer)
			.run((context) -> assertThat(context.getBean(SubmissionObserver.class).currentTrace())
				.isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
	}

	private static void use(IdempotencyTemplate template, DistributedLocks locks) {
		template.executeWithoutResult("op", "k", (context) -> {
		});
		locks.get("a").lock();
		locks.get("a").unlock();
	}

	@Nested
	class WithoutHandlers {

		private static final int CALLS = 10_000;

		private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

		static ObservationRegistry[] registries() {
			return new ObservationRegistry[] { ObservationRegistry.NOOP, ObservationRegistry.create() };
		}

		@ParameterizedTest
		@MethodSource("registries")
		void aSubmissionAllocatesNothing(ObservationRegistry none) {
			SubmissionObserver observer = new MicrometerSubmissionObserver(none, null);
			OperationKey key = OperationKey.of("app", "op", List.of(), "k");
			assertAllocatesNothing(() -> observe(observer, key));
		}

		@ParameterizedTest
		@MethodSource("registries")
		void aLockAllocatesNothing(ObservationRegistry none) {
			LockObserver observer = new MicrometerLockObserver(none);
			assertAllocatesNothing(() -> observer.start("price:17", LockMode.WRITE, "local")
				.end(AcquisitionOutcome.OBTAINED, "local", null));
		}

		private static void observe(SubmissionObserver observer, OperationKey key) {
			SubmissionObservation observation = observer.start("op", Entrance.METHOD);
			observation.decided(key, 1, null);
			observation.openScope().close();
			observation.failed(null);
			observation.end("run");
		}

		private static void assertAllocatesNothing(Runnable call) {
			call.run();
			long before = THREADS.getCurrentThreadAllocatedBytes();
			for (int i = 0; i < CALLS; i++) {
				call.run();
			}
			assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(CALLS);
		}

	}

}

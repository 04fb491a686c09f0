package io.idempotent.metrics.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.observation.LockObservationContext;
import io.micrometer.observation.Observation;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;

/**
 * The observation of lock acquisitions.
 */
class LockObservationTests {

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(LockAutoConfiguration.class, IdempotentObservationAutoConfiguration.class))
		.withPropertyValues("idempotent.lock.engines=local")
		.withBean(TestObservationRegistry.class, () -> this.registry);

	@Test
	void anAcquisitionNamesEngineGroupAndMode() {
		run((locks) -> {
			DistributedLock lock = locks.get("price:book-17");
			lock.lock();
			lock.unlock();
			LockObservationContext context = contexts().get(0);
			assertThat(context.getName()).isEqualTo("idempotent.lock");
			assertThat(context.getContextualName()).isEqualTo("lock price");
			assertThat(tags(context)).containsExactly("engine=local", "group=price", "mode=write", "outcome=obtained");
			assertThat(context.getHighCardinalityKeyValues()).isEmpty();
			assertThat(this.registry.getCurrentObservation()).isNull();
		});
	}

	@Test
	void aReaderHasItsMode() {
		run((locks) -> {
			DistributedLock lock = locks.get("a", LockOptions.DEFAULTS.withMode(LockMode.READ));
			lock.lock();
			lock.unlock();
			assertThat(tags(contexts().get(0))).contains("mode=read");
		});
	}

	@Test
	void reentryIsNotObserved() {
		run((locks) -> {
			DistributedLock lock = locks.get("a");
			lock.lock();
			lock.lock();
			lock.unlock();
			lock.unlock();
			assertThat(contexts()).hasSize(1);
		});
	}

	@Test
	void aLockOfAnotherThreadIsNotObtained() {
		run((locks) -> {
			locks.get("a").lock();
			CompletableFuture.runAsync(() -> assertThat(locks.get("a").tryLock()).isFalse()).join();
			locks.get("a").unlock();
			assertThat(outcomes()).containsExactly("obtained", "not-obtained");
		});
	}

	@Test
	void aWaitAndItsInterruptAreObserved() throws Exception {
		this.runner.run((context) -> {
			DistributedLocks locks = context.getBean(DistributedLocks.class);
			locks.get("a").lock();
			Thread waiting = new Thread(() -> assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> locks.get("a").tryLock(1, TimeUnit.MINUTES)));
			waiting.start();
			await().until(() -> contexts().size() == 2);
			waiting.interrupt();
			waiting.join(Duration.ofSeconds(10).toMillis());
			locks.get("a").unlock();
			assertThat(outcomes()).containsExactly("obtained", "interrupted");
			assertThat(contexts().get(1).getError()).isNull();
		});
	}

	@Test
	void anEngineThatIsAwayIsUnavailable() {
		failing(new LockUnavailableException("away", null), (lock) -> {
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(lock::lock);
			assertThat(outcomes()).containsExactly("unavailable");
			assertThat(contexts().get(0).getError()).hasMessage("away");
		});
	}

	@Test
	void anUnexpectedExceptionIsAnError() {
		failing(new IllegalStateException("broken"), (lock) -> {
			assertThatIllegalStateException().isThrownBy(lock::lock);
			assertThat(outcomes()).containsExactly("error");
		});
	}

	@Test
	void observationsOfTheEngineAreChildrenOfTheAcquisition() {
		CompletableFuture<Observation.@Nullable ContextView> during = new CompletableFuture<>();
		engine((request) -> {
			during.complete(this.registry.getCurrentObservation().getContextView());
			throw new IllegalStateException("seen");
		}, (lock) -> {
			assertThatIllegalStateException().isThrownBy(lock::lock);
			assertThat(during).isCompletedWithValueMatching(LockObservationContext.class::isInstance);
		});
	}

	private void failing(RuntimeException failure, Consumer<DistributedLock> test) {
		engine((request) -> {
			throw failure;
		}, test);
	}

	private void engine(Consumer<@Nullable Object> acquire, Consumer<DistributedLock> test) {
		LockEngine engine = mock(LockEngine.class, (call) -> {
			if (LockGrant.class.isAssignableFrom(call.getMethod().getReturnType())) {
				acquire.accept(null);
			}
			return Mockito.CALLS_REAL_METHODS.answer(call);
		});
		willReturn("scripted").given(engine).name();
		this.runner.withPropertyValues("idempotent.lock.engines=scripted")
			.withBean(LockEngine.class, () -> engine)
			.run((context) -> test.accept(context.getBean(DistributedLocks.class).get("a")));
	}

	private void run(Consumer<DistributedLocks> test) {
		this.runner.run((context) -> test.accept(context.getBean(DistributedLocks.class)));
	}

	private List<String> outcomes() {
		return contexts().stream().map((context) -> context.getLowCardinalityKeyValue("outcome").getValue()).toList();
	}

	private static List<String> tags(LockObservationContext context) {
		return context.getLowCardinalityKeyValues()
			.stream()
			.map((value) -> value.getKey() + "=" + value.getValue())
			.toList();
	}

	private List<LockObservationContext> contexts() {
		CompletableFuture<List<Observation.Context>> all = new CompletableFuture<>();
		TestObservationRegistryAssert.assertThat(this.registry).hasHandledContextsThatSatisfy(all::complete);
		return all.join().stream().map(LockObservationContext.class::cast).toList();
	}

}

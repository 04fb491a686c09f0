package io.idempotent.lock.method;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockNotObtainedHandler;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.WhenNotObtained;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.local.LocalLockEngine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willCallRealMethod;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;

/**
 * What the annotation makes of a method.
 */
@ExtendWith(OutputCaptureExtension.class)
class DistributedLockedTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class))
		.withPropertyValues("idempotent.lock.engines=local", "idempotent.lock.wait-time=0",
				"spring.application.name=shop", "jobs.name=nightly")
		.withBean(Shop.class)
		.withBean(Heard.class)
		.withBean(Handler.class);

	private final ApplicationContextRunner readers = this.runner.withBean(Prices.class);

	private final ExecutorService other = Executors.newSingleThreadExecutor();

	private final SkippedRuns runs = new SkippedRuns(ReflectionUtils.findMethod(Job.class, "run"),
			Duration.ofMillis(100));

	@AfterEach
	void stop() {
		this.other.shutdownNow();
	}

	@Test
	void theLockIsNamedAfterApplicationClassAndMethod() {
		run((shop, locks) -> assertThat(shop.plain()).containsExactly("shop.Shop.plain"));
	}

	@Test
	void theApplicationNameMayContainAnyCharacter() {
		this.runner.withPropertyValues("spring.application.name=My {new}: Shop")
			.run((context) -> assertThat(context.getBean(Shop.class).plain())
				.containsExactly("My-new-Shop.Shop.plain"));
	}

	@Test
	void aKeyThatIsNotPlainIsHashed() {
		run((shop, locks) -> {
			String hashed = shop.keyed("13800138000 or 1=1").get(0);
			assertThat(hashed).matches("order:#[A-Za-z0-9_-]{43}");
			assertThat(shop.keyed("13800138000 or 1=2").get(0)).isNotEqualTo(hashed);
			assertThat(shop.keyed("x".repeat(64)).get(0)).isEqualTo("order:" + "x".repeat(64));
			assertThat(shop.keyed("x".repeat(65)).get(0)).startsWith("order:#");
			assertThat(shop.keyed("").get(0)).startsWith("order:#");
			assertThat(shop.keyed(hashed.substring("order:".length())).get(0)).startsWith("order:#")
				.isNotEqualTo(hashed);
		});
	}

	@Test
	void severalKeysOrElementsAreSeveralLocksInOrder() {
		run((shop, locks) -> {
			assertThat(shop.several("u1", List.of("b", "a", "b"))).containsExactly("stock:a", "stock:b", "stock:u1");
			assertThat(shop.array(new int[] { 3, 1 })).containsExactly("array:1", "array:3");
			assertThat(shop.object(Side.BUY)).containsExactly("object:BUY");
		});
	}

	@Test
	void aKeyThatIdentifiesNothingIsRefusedAndTheMethodSkipped() {
		run((shop, locks) -> {
			assertThatIllegalArgumentException().isThrownBy(() -> shop.keyed(null))
				.withMessageContaining("yields null");
			assertThatIllegalArgumentException().isThrownBy(() -> shop.several("u1", List.of()))
				.withMessageContaining("yields no value");
			assertThatIllegalArgumentException().isThrownBy(() -> shop.object(new Object()))
				.withMessageContaining("yields a java.lang.Object");
		});
	}

	@Test
	void keysAreEvaluatedBeforeTheMethodChangesItsArguments() {
		run((shop, locks) -> {
			List<String> skus = new ArrayList<>(List.of("a"));
			assertThat(shop.changing(skus)).containsExactly("changing:a");
			assertThat(skus).containsExactly("z");
			assertThat(elsewhere(() -> locks.get("changing:a").tryLock())).isTrue();
		});
	}

	@Nested
	class Conditions {

		@Test
		void anyOtherCallRunsWithoutTheLock() {
			run((shop, locks) -> holding(locks, "express", () -> {
				assertThat(shop.express(false)).isEmpty();
				assertThat(shop.expressJob(5)).contains("ran");
				assertThat(shop.expressJob(6)).isEmpty();
			}));
		}

		@Test
		void eachAnnotationHasItsOwn() {
			run((shop, locks) -> {
				assertThat(shop.either("left")).containsExactly("left");
				assertThat(shop.either("right")).containsExactly("right");
				assertThat(shop.either("none")).isEmpty();
			});
		}

		@Test
		void withoutADecisionTheMethodDoesNotRun() {
			run((shop, locks) -> assertThatIllegalArgumentException().isThrownBy(() -> shop.express(null))
				.withMessage("The condition of the lock 'express' yields null, and without a decision the method is "
						+ "not run: let it yield true or false"));
		}

	}

	@Test
	void aLockThatIsNotObtainedIsAnException() {
		run((shop, locks) -> holding(locks, "order:42",
				() -> assertThatExceptionOfType(LockNotObtainedException.class).isThrownBy(() -> shop.keyed("42"))
					.withMessageContaining("[order:42]")));
	}

	@Test
	void aCallThatWaitsLongEnoughObtainsTheLock() {
		run((shop, locks) -> {
			DistributedLock lock = locks.get("patient");
			elsewhere(() -> lock.tryLock());
			Future<?> holder = this.other.submit(() -> {
				TimeUnit.MILLISECONDS.sleep(300);
				lock.unlock();
				return null;
			});
			shop.patient();
			holder.get();
		});
	}

	@Test
	void aJobIsSkippedSilently() {
		run((shop, locks) -> holding(locks, "nightly", () -> {
			shop.job();
			assertThat(shop.hasRun()).isFalse();
		}));
		run((shop, locks) -> {
			shop.job();
			assertThat(shop.hasRun()).isTrue();
		});
	}

	@Test
	void aJobIsSkippedDuringAnOutageWithOneLogLine(CapturedOutput output) throws Exception {
		LockEngine engine = spy(new LocalLockEngine());
		given(engine.name()).willReturn("moving");
		willThrow(new LockUnavailableException("Nobody is there:\n\tconnection refused", null)).given(engine)
			.acquire(any(), any());
		this.runner.withBean(LockEngine.class, () -> engine)
			.withPropertyValues("idempotent.lock.engines=moving")
			.run((context) -> {
				Shop shop = context.getBean(Shop.class);
				int before = output.getAll().length();
				shop.job();
				shop.job();
				assertThat(shop.hasRun()).isFalse();
				assertThat(output.getAll().substring(before).lines()).singleElement()
					.asString()
					.contains("WARN", "Skipped Shop.job", "Nobody is there: connection refused");
				assertThat(context.getBean(Heard.class).events).extracting(LockEvent::type)
					.containsExactly(LockEvent.Type.UNAVAILABLE, LockEvent.Type.SKIPPED, LockEvent.Type.UNAVAILABLE,
							LockEvent.Type.SKIPPED);
				assertThat(context.getBean(Heard.class).events.get(1)).extracting(LockEvent::name, LockEvent::engine)
					.containsExactly("nightly", "moving");
				assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(shop::failing);
				willCallRealMethod().given(engine).acquire(any(), any());
				shop.job();
				assertThat(shop.hasRun()).isTrue();
			});
	}

	@Test
	void aJobIsSkippedWithoutAWarningDuringAShutdown(CapturedOutput output) {
		run((shop, locks) -> {
			((EngineDistributedLocks) locks).close();
			int before = output.getAll().length();
			shop.job();
			assertThat(shop.hasRun()).isFalse();
			assertThat(output.getAll().substring(before)).doesNotContain("Skipped");
		});
	}

	@Test
	void aSkippedCallReturnsTheEmptyValueOfItsType() {
		run((shop, locks) -> {
			assertThat(shop.optional()).contains("ran");
			assertThat(shop.nullable()).isEqualTo("ran");
			holding(locks, "optional", () -> assertThat(shop.optional()).isEmpty());
			holding(locks, "nullable", () -> assertThat(shop.nullable()).isNull());
		});
	}

	@Test
	void aHandlerMayCallItsMethodWhileItIsCreated() {
		this.runner.withAllowCircularReferences(true)
			.withBean(Handled.class)
			.withUserConfiguration(Handling.class)
			.run((context) -> assertThat(context.getBean(Handling.class).created).isEqualTo("ran"));
	}

	static class Handled {

		@DistributedLocked(name = "handled", handler = Handling.class)
		String run() {
			return "ran";
		}

	}

	@Lazy
	static class Handling extends Handler implements InitializingBean {

		private final Handled handled;

		private String created;

		Handling(Handled handled) {
			this.handled = handled;
		}

		@Override
		public void afterPropertiesSet() {
			this.created = this.handled.run();
		}

	}

	@Test
	void aHandlerReturnsAResultInsteadOfTheMethod() {
		run((shop, locks) -> {
			assertThat(shop.handled("x")).isEqualTo("ran x");
			holding(locks, "handled",
					() -> assertThat(shop.handled("x")).isEqualTo("instead of handled(x): [handled]"));
		});
	}

	@Test
	void anExceptionOfAnInnerLockIsPropagated() {
		run((shop, locks) -> holding(locks, "inner",
				() -> assertThatExceptionOfType(LockNotObtainedException.class).isThrownBy(shop::outer)
					.satisfies((ex) -> assertThat(ex.names()).containsExactly("inner"))));
	}

	@Test
	void severalAnnotationsTakeSeveralLocks() {
		run((shop, locks) -> {
			assertThat(shop.twice("7")).containsExactly("first", "second:7");
			holding(locks, "second:7",
					() -> assertThatExceptionOfType(LockNotObtainedException.class).isThrownBy(() -> shop.twice("7")));
			assertThat(elsewhere(() -> locks.get("first").tryLock())).isTrue();
		});
	}

	@Test
	void aMetaAnnotationIsSupported() {
		run((shop, locks) -> assertThat(shop.composed()).containsExactly("composed"));
	}

	private void run(Scenario scenario) {
		this.runner
			.run((context) -> scenario.play(context.getBean(Shop.class), context.getBean(DistributedLocks.class)));
	}

	/**
	 * Holds a lock on another thread meanwhile.
	 */
	private void holding(DistributedLocks locks, String name, Runnable meanwhile) throws Exception {
		DistributedLock lock = locks.get(name);
		assertThat(elsewhere(() -> lock.tryLock())).isTrue();
		try {
			meanwhile.run();
		}
		finally {
			this.other.submit(lock::unlock).get(30, TimeUnit.SECONDS);
		}
	}

	private <T extends @Nullable Object> T elsewhere(Callable<T> task) throws Exception {
		return this.other.submit(task).get(30, TimeUnit.SECONDS);
	}

	@Test
	void methodsThatReadRunTogether() {
		this.readers.run((context) -> {
			Prices prices = context.getBean(Prices.class);
			Future<LockMode> reader = this.other.submit(prices::meet);
			assertThat(prices.meet()).isEqualTo(LockMode.READ);
			assertThat(reader.get(20, TimeUnit.SECONDS)).isEqualTo(LockMode.READ);
		});
	}

	@Test
	void aMethodThatReadsExcludesOneThatWrites() {
		this.readers.run((context) -> {
			DistributedLock reader = context.getBean(DistributedLocks.class).readWrite("prices").readLock();
			this.other.submit(reader::lock).get(20, TimeUnit.SECONDS);
			assertThatExceptionOfType(LockNotObtainedException.class).isThrownBy(context.getBean(Prices.class)::write);
			this.other.submit(reader::unlock).get(20, TimeUnit.SECONDS);
			assertThat(context.getBean(Prices.class).write()).isEqualTo(LockMode.WRITE);
		});
	}

	@Test
	void anEngineWithoutReadLocksFailsTheStart() {
		LockEngine engine = mock(LockEngine.class, Mockito.CALLS_REAL_METHODS);
		given(engine.name()).willReturn("exclusive");
		this.readers.withBean(LockEngine.class, () -> engine)
			.withPropertyValues("idempotent.lock.engines=exclusive")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("'exclusive' has no read locks", "redisson, zookeeper, jdbc or local"));
	}

	@Test
	void eachOutageIsLoggedAtItsStartAndEndWithSkippedRuns(CapturedOutput output) {
		for (int skipped : new int[] { 20, 1 }) {
			for (int tick = 0; tick < skipped; tick++) {
				this.runs.skipped(new LockUnavailableException("No server:\n\tconnection refused", null));
			}
			await().until(() -> {
				this.runs.engineResponded();
				return output.getAll().contains("runs skipped meanwhile: " + skipped);
			});
		}
		this.runs.engineResponded();
		assertThat(output.getAll().lines().filter((line) -> line.contains("Job.run"))).satisfiesExactly(
				(first) -> assertThat(first).contains("WARN", "Skipped Job.run", "No server: connection refused"),
				(last) -> assertThat(last).contains("INFO", "can be requested again: ",
						"from the first failure to the first success after the last one; failed calls: 20; runs skipped "
								+ "meanwhile: 20"),
				(next) -> assertThat(next).contains("WARN"), (last) -> assertThat(last).contains("meanwhile: 1"));
	}

	private interface Scenario {

		void play(Shop shop, DistributedLocks locks) throws Exception;

	}

	static class Heard implements LockListener {

		final List<LockEvent> events = new ArrayList<>();

		@Override
		public synchronized void onEvent(LockEvent event) {
			this.events.add(event);
		}

	}

	static class Handler implements LockNotObtainedHandler {

		@Override
		public Object answer(Method method, @Nullable Object[] arguments, LockNotObtainedException reason) {
			return "instead of " + method.getName() + "(" + arguments[0] + "): " + reason.names();
		}

	}

	@DistributedLocked(name = "composed")
	@Retention(RetentionPolicy.RUNTIME)
	@interface Exclusive {

	}

	enum Side {

		BUY

	}

	static class Shop {

		private boolean ran;

		private final DistributedLocks locks;

		Shop(DistributedLocks locks) {
			this.locks = locks;
		}

		private List<String> held() {
			return this.locks.held().stream().map(DistributedLock::name).toList();
		}

		boolean hasRun() {
			return this.ran;
		}

		@DistributedLocked
		List<String> plain() {
			return held();
		}

		@DistributedLocked(name = "order", key = "#id")
		List<String> keyed(@Nullable String id) {
			return held();
		}

		@DistributedLocked(name = "express", condition = "#express")
		List<String> express(@Nullable Boolean express) {
			return held();
		}

		@DistributedLocked(name = "express", condition = "#amount > 5 and !false", onNotObtained = WhenNotObtained.SKIP)
		Optional<String> expressJob(int amount) {
			return Optional.of("ran");
		}

		@DistributedLocked(name = "left", condition = "#side == 'left'")
		@DistributedLocked(name = "right", condition = "#side == 'right'")
		List<String> either(String side) {
			return held();
		}

		@DistributedLocked(name = "stock", key = { "#user", "#skus" })
		List<String> several(String user, List<String> skus) {
			return held();
		}

		@DistributedLocked(name = "array", key = "#numbers")
		List<String> array(int[] numbers) {
			return held();
		}

		@DistributedLocked(name = "object", key = "#object")
		List<String> object(Object object) {
			return held();
		}

		@DistributedLocked(name = "changing", key = "#skus")
		List<String> changing(List<String> skus) {
			skus.set(0, "z");
			return held();
		}

		@DistributedLocked(name = "patient", waitTime = "20s")
		void patient() {
		}

		@DistributedLocked(name = "${jobs.name}", onNotObtained = WhenNotObtained.SKIP)
		void job() {
			this.ran = true;
		}

		@DistributedLocked(name = "optional", onNotObtained = WhenNotObtained.SKIP)
		Optional<String> optional() {
			return Optional.of("ran");
		}

		@DistributedLocked(name = "nullable", onNotObtained = WhenNotObtained.SKIP)
		@Nullable String nullable() {
			return "ran";
		}

		@DistributedLocked(name = "handled", handler = Handler.class)
		String handled(String argument) {
			return "ran " + argument;
		}

		@DistributedLocked(name = "outer", onNotObtained = WhenNotObtained.SKIP)
		void outer() {
			DistributedLock inner = this.locks.get("inner");
			if (!inner.tryLock()) {
				throw new LockNotObtainedException(List.of("inner"), Duration.ZERO, null);
			}
		}

		@DistributedLocked(name = "failing")
		void failing() {
			throw new IllegalStateException("of the method");
		}

		@DistributedLocked(name = "first")
		@DistributedLocked(name = "second", key = "#id")
		List<String> twice(String id) {
			return held();
		}

		@Exclusive
		List<String> composed() {
			return held();
		}

	}

	static class Prices {

		private final DistributedLocks locks;

		private final CyclicBarrier both = new CyclicBarrier(2);

		Prices(DistributedLocks locks) {
			this.locks = locks;
		}

		@DistributedLocked(name = "prices", mode = LockMode.READ)
		LockMode meet() throws Exception {
			this.both.await(20, TimeUnit.SECONDS);
			return this.locks.current().orElseThrow().mode();
		}

		@DistributedLocked(name = "prices")
		LockMode write() {
			return this.locks.current().orElseThrow().mode();
		}

	}

	interface Job {

		void run();

	}

}

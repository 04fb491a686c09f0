package io.idempotent.lock.breaker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.Renewal;
import io.idempotent.lock.engine.EngineDistributedLocks;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockDefaults;
import io.idempotent.lock.local.LocalLockEngine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * When a node leaves a failing engine by itself.
 */
class AutomaticSwitchTests {

	private static final int MINIMUM_CALLS = 4;

	private final Flaky first = new Flaky("first");

	private final Flaky second = new Flaky("second");

	private final Flaky third = new Flaky("third");

	@Test
	void anEngineThatFailsOftenIsLeftForTheNext() {
		EngineDistributedLocks locks = locks(Duration.ofMinutes(1));
		this.first.fails = true;
		for (int i = 0; i < MINIMUM_CALLS; i++) {
			assertThat(locks.currentEngine()).isEqualTo("first");
			assertUnavailable(locks);
		}
		assertThat(locks.currentEngine()).isEqualTo("second");
		takeAndGiveBack(locks);
	}

	@Test
	void fewFailuresAmongManyCallsChangeNothing() {
		EngineDistributedLocks locks = locks(Duration.ofMinutes(1));
		for (int i = 0; i < 30; i++) {
			this.first.fails = i % 4 == 3;
			if (this.first.fails) {
				assertUnavailable(locks);
			}
			else {
				takeAndGiveBack(locks);
			}
		}
		assertThat(locks.currentEngine()).isEqualTo("first");
	}

	@Test
	void aTakenLockIsNoFailure() throws Exception {
		EngineDistributedLocks locks = locks(Duration.ofMinutes(1));
		LockGrant taken = this.first.acquire(new LockRequest("a", Duration.ofSeconds(5), false), Duration.ZERO);
		for (int i = 0; i < 30; i++) {
			assertThat(locks.get("a").tryLock()).isFalse();
			assertThat(locks.get("a").tryLock(1, TimeUnit.MILLISECONDS)).isFalse();
		}
		assertThat(locks.currentEngine()).isEqualTo("first");
		assertThat(taken).isNotNull();
	}

	@Test
	void aSwitchIsNotFollowedByAnotherBeforeTheDwellTimeIsOver() {
		EngineDistributedLocks locks = locks(Duration.ofMinutes(1));
		this.first.fails = true;
		this.second.fails = true;
		for (int i = 0; i < 3 * MINIMUM_CALLS; i++) {
			assertUnavailable(locks);
		}
		assertThat(locks.currentEngine()).isEqualTo("second");
	}

	@Test
	void afterTheDwellTimeAFailingEngineIsLeftAgain() {
		EngineDistributedLocks locks = locks(Duration.ofMillis(1));
		this.first.fails = true;
		this.second.fails = true;
		await().atMost(Duration.ofSeconds(30)).until(() -> {
			tryOnce(locks);
			return locks.currentEngine().equals("third");
		});
		takeAndGiveBack(locks);
	}

	@Test
	void anEngineThatFailsIsLeftInPeaceForAWhile() {
		EngineDistributedLocks locks = locks(Duration.ofMinutes(1));
		this.first.fails = true;
		this.second.fails = true;
		this.third.fails = true;
		for (int i = 0; i < 2 * MINIMUM_CALLS; i++) {
			assertUnavailable(locks);
		}
		int asked = this.second.asked.get();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> locks.get("a").tryLock())
			.withMessageContaining("'second' was not asked for the lock 'a'");
		assertThat(this.second.asked).hasValue(asked);
	}

	@Test
	void nobodyReturnsToAnEngineThatWorksAgainButAnOperator() {
		EngineDistributedLocks locks = locks(Duration.ofMillis(1));
		this.first.fails = true;
		for (int i = 0; i < MINIMUM_CALLS; i++) {
			assertUnavailable(locks);
		}
		this.first.fails = false;
		for (int i = 0; i < 30; i++) {
			takeAndGiveBack(locks);
		}
		assertThat(locks.currentEngine()).isEqualTo("second");
		assertThat(locks.switchEngine("first")).isEqualTo("first");
	}

	private EngineDistributedLocks locks(Duration dwellTime) {
		AutomaticSwitch automatic = new AutomaticSwitch(50, MINIMUM_CALLS, 10, dwellTime);
		EngineDistributedLocks locks = new EngineDistributedLocks(
				automatic.guard(List.of(this.first, this.second, this.third)),
				new LockDefaults(Duration.ofSeconds(5), Renewal.WHILE_HELD, Duration.ofMinutes(1)), List.of());
		automatic.drive(locks);
		return locks;
	}

	private static void assertUnavailable(EngineDistributedLocks locks) {
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> locks.get("a").tryLock());
	}

	private static void takeAndGiveBack(EngineDistributedLocks locks) {
		DistributedLock lock = locks.get("a");
		assertThat(lock.tryLock()).isTrue();
		lock.unlock();
	}

	private static void tryOnce(EngineDistributedLocks locks) {
		try {
			takeAndGiveBack(locks);
		}
		catch (LockUnavailableException ex) {
			// One more failure to be judged.
		}
	}

	private static final class Flaky implements LockEngine {

		private final LocalLockEngine memory = new LocalLockEngine();

		private final AtomicInteger asked = new AtomicInteger();

		private final String name;

		private volatile boolean fails;

		Flaky(String name) {
			this.name = name;
		}

		@Override
		public String name() {
			return this.name;
		}

		@Override
		public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
			this.asked.incrementAndGet();
			if (this.fails) {
				throw new LockUnavailableException("The engine '" + this.name + "' is down", null);
			}
			return this.memory.acquire(request, wait);
		}

	}

}

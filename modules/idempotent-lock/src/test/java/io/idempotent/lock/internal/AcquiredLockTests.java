package io.idempotent.lock.internal;

import java.time.Duration;

import io.idempotent.lock.AcquiredLock;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockOptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A lock in a {@code try} statement, and the assertion that one is held.
 */
@Timeout(60)
class AcquiredLockTests {

	private final FakeEngine engine = FakeEngine.withLeases("fake");

	@AutoClose
	private final TestLocks locks = new TestLocks(this.engine);

	private final DistributedLock lock = this.locks.get("a");

	@Test
	void itIsHeldUntilTheEndOfTheStatement() throws Exception {
		try (AcquiredLock acquired = this.lock.acquire(Duration.ZERO)) {
			assertThat(acquired.name()).isEqualTo("a");
			assertThat(acquired.isValid()).isTrue();
			assertThat(acquired.fencingToken()).isEqualTo(this.lock.fencingToken());
			assertThat(acquired).hasToString("DistributedLock[a]");
			acquired.extend(Duration.ofMinutes(1));
		}
		assertThat(this.lock.isHeldByCurrentThread()).isFalse();
		assertThat(this.locks.<Boolean>elsewhere(this.lock::tryLock)).isTrue();
	}

	@Test
	void anInterruptDoesNotPreventAcquiringAFreeLock() {
		this.engine.fail(new InterruptedException());
		try (AcquiredLock acquired = this.lock.acquire(Duration.ofSeconds(1))) {
			assertThat(acquired.isValid()).isTrue();
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void aLockThatIsNotAcquiredIsAnException() throws Exception {
		assertThat(this.locks.<Boolean>elsewhere(this.lock::tryLock)).isTrue();
		for (Duration wait : new Duration[] { Duration.ofMillis(20), Duration.ZERO, Duration.ofMillis(-1) }) {
			assertThatExceptionOfType(LockNotObtainedException.class).isThrownBy(() -> this.lock.acquire(wait))
				.satisfies((reason) -> assertThat(reason.names()).containsExactly("a"));
		}
	}

	@Test
	void aRepeatedCloseHasNoEffect() {
		this.lock.lock();
		AcquiredLock acquired = this.lock.acquire(Duration.ZERO);
		acquired.close();
		acquired.close();
		assertThat(this.lock.holdCount()).isOne();
		this.lock.unlock();
	}

	@Test
	void anotherThreadCannotCloseIt() throws Exception {
		AcquiredLock acquired = this.lock.acquire(Duration.ZERO);
		String owner = Thread.currentThread().getName();
		this.locks
			.elsewhere(() -> assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(acquired::close)
				.withMessageContaining("was acquired by the thread " + owner)
				.isNotInstanceOf(LockLostException.class));
		assertThat(acquired.isValid()).isTrue();
		acquired.close();
		assertThat(this.lock.isHeldByCurrentThread()).isFalse();
	}

	@Test
	void aLossIsThrownOnceAtTheEnd() {
		DistributedLock brief = this.locks.get("b",
				LockOptions.DEFAULTS.withLease(Duration.ofMillis(20)).withHoldAtMost(Duration.ofMillis(20)));
		AcquiredLock acquired = brief.acquire(Duration.ZERO);
		await().pollInSameThread().until(() -> !acquired.isValid());
		assertThatExceptionOfType(LockLostException.class).isThrownBy(acquired::close);
		acquired.close();
	}

	@Test
	void aHeldLockIsRequired() throws Exception {
		assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> this.locks.locks.requireHeld("a"))
			.withMessageStartingWith("This code must run under the lock 'a', which the current thread does not hold")
			.isNotInstanceOf(LockLostException.class);
		this.lock.lock();
		assertThat(this.locks.locks.requireHeld("a").name()).isEqualTo("a");
		this.locks.elsewhere(() -> assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> this.locks.locks.requireHeld("a")));
		this.lock.unlock();
	}

	@Test
	void aLockWithAKeyIsRequiredByItsName() {
		this.locks.get("seckill:1.2").lock();
		assertThat(this.locks.locks.requireHeld("seckill").name()).isEqualTo("seckill:1.2");
		assertThat(this.locks.locks.requireHeld("seckill:1.2").name()).isEqualTo("seckill:1.2");
		for (String other : new String[] { "sec", "seckill:1", "seckill:1.2.3" }) {
			assertThatExceptionOfType(IllegalMonitorStateException.class)
				.isThrownBy(() -> this.locks.locks.requireHeld(other));
		}
	}

	@Test
	void oneLostLockOfSeveralIsNoticed() {
		DistributedLock brief = this.locks.get("transfer:1",
				LockOptions.DEFAULTS.withLease(Duration.ofMillis(20)).withHoldAtMost(Duration.ofMillis(20)));
		brief.lock();
		this.locks.get("transfer:2").lock();
		await().pollInSameThread().until(() -> !brief.isValid());
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.locks.locks.requireHeld("transfer"))
			.satisfies((loss) -> assertThat(loss.name()).isEqualTo("transfer:1"));
	}

}

package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * A holder that needs more time than its lock allows.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class LockExtensionTests {

	private final FakeEngine engine = FakeEngine.withLeases("fake");

	@AutoClose
	private final TestLocks locks = new TestLocks(this.engine);

	@Test
	void aFixedLeaseIsRenewedUpToItsNewEnd() throws Exception {
		DistributedLock lock = this.locks.get("a", fixed(Duration.ofSeconds(3)));
		lock.lock();
		lock.extend(Duration.ofSeconds(4));
		assertThat(this.engine.grant().renewals).containsExactly(Duration.ofSeconds(3));
		assertThat(this.locks.told(LockEvent.Type.LOST).time()).isGreaterThan(Duration.ofMillis(3900));
		assertThat(lock.isValid()).isFalse();
	}

	@Test
	void theLongestHoldMoves() {
		DistributedLock lock = this.locks.get("a", LockOptions.DEFAULTS.withHoldAtMost(Duration.ofSeconds(3)));
		lock.lock();
		lock.extend(Duration.ofMinutes(5));
		await().pollInSameThread().during(3300, TimeUnit.MILLISECONDS).until(lock::isValid);
		lock.unlock();
	}

	@Test
	void anExtensionNeverShortensTheHold() {
		DistributedLock lock = this.locks.get("a", LockOptions.DEFAULTS.withHoldAtMost(Duration.ofSeconds(40)));
		lock.lock();
		lock.extend(Duration.ofMillis(1));
		assertThat(this.engine.grant().renewals).singleElement()
			.satisfies((asked) -> assertThat(asked).isGreaterThan(Duration.ofSeconds(30)));
		assertThat(lock.isValid()).isTrue();
		lock.unlock();
	}

	@Test
	void aHoldWithoutAnEndIsStillRenewedOnce() {
		DistributedLock lock = this.locks.get("a");
		lock.lock();
		lock.extend(Duration.ofMinutes(5));
		assertThat(this.engine.grant().renewals).containsExactly(TestLocks.LONG);
		lock.unlock();
	}

	@Test
	void theEndMovesOnAnEngineWithoutLeases() {
		FakeEngine plain = FakeEngine.withoutLeases("plain");
		try (TestLocks without = new TestLocks(plain)) {
			DistributedLock lock = without.get("a", fixed(Duration.ofMillis(1500)));
			lock.lock();
			lock.extend(Duration.ofMinutes(5));
			await().pollInSameThread().during(1700, TimeUnit.MILLISECONDS).until(lock::isValid);
			lock.unlock();
		}
	}

	@Test
	void aLockThatIsLostCannotBeExtended() {
		DistributedLock ended = this.locks.get("a", fixed(Duration.ofMillis(20)));
		ended.lock();
		await().pollInSameThread().until(() -> !ended.isValid());
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> ended.extend(Duration.ofMinutes(5)));
		assertThat(this.engine.grant().renewals).isEmpty();
	}

	@Test
	void aLossKnownOnlyToTheEngineIsFound() {
		DistributedLock lock = this.locks.get("a");
		lock.lock();
		this.engine.grant().vanish();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock.extend(Duration.ofMinutes(5)));
		assertThat(lock.isValid()).isFalse();
		assertThat(this.locks.told(LockEvent.Type.LOST).name()).isEqualTo("a");
	}

	@Test
	void anUnavailableEngineMakesTheLeaseSuspect() {
		DistributedLock lock = this.locks.get("a");
		lock.lock();
		this.engine.grant().failRenewals(new LockUnavailableException("away", null));
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> lock.extend(Duration.ofMinutes(5)));
		assertThat(this.locks.told(LockEvent.Type.SUSPECT).name()).isEqualTo("a");
		assertThat(lock.isValid()).isTrue();
		this.engine.grant().onRenewal(this.engine.grant()::answerSoundly);
		lock.extend(Duration.ofMinutes(5));
		assertThat(this.locks.told(LockEvent.Type.RESUMED).name()).isEqualTo("a");
		lock.unlock();
	}

	@Test
	void onlyTheHolderExtends() throws Exception {
		DistributedLock lock = this.locks.get("a");
		assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> lock.extend(Duration.ofMinutes(5)));
		lock.lock();
		this.locks.elsewhere(() -> assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> lock.extend(Duration.ofMinutes(5))));
		lock.unlock();
	}

	@Test
	void anExtensionIsPositiveAndAYearAtMost() {
		DistributedLock lock = this.locks.get("a");
		assertThatIllegalArgumentException().isThrownBy(() -> lock.extend(Duration.ZERO))
			.withMessage("The lock 'a' cannot be extended by 0s: give a positive time of a year at most");
		assertThatIllegalArgumentException().isThrownBy(() -> lock.extend(Duration.ofDays(366)));
	}

	private static LockOptions fixed(Duration lease) {
		return LockOptions.DEFAULTS.withLease(lease).withHoldAtMost(lease);
	}

}

package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.MultiLock;
import io.idempotent.lock.engine.LockRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Several locks are taken all or not at all.
 */
@Timeout(60)
class EngineMultiLockTests {

	private final FakeEngine engine = FakeEngine.withLeases("fake");

	private final TestLocks locks = new TestLocks(this.engine);

	private final MultiLock lock = this.locks.locks.all("c", "a", "b", "a");

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.locks.locks.held()).isEmpty();
		assertThat(this.locks.locks.namesInUse()).isZero();
		this.locks.close();
	}

	@Test
	void namesAreLockedInOrderAndReleasedInReverse() {
		this.lock.lock();
		assertThat(this.lock.names()).containsExactly("a", "b", "c");
		assertThat(this.locks.locks.held()).extracting(DistributedLock::name).containsExactly("a", "b", "c");
		assertThat(this.lock.isValid()).isTrue();
		assertThat(this.lock.fencingToken("b")).isEqualTo(2);
		assertThatIllegalArgumentException().isThrownBy(() -> this.lock.fencingToken("d"))
			.withMessage("The lock 'd' is none of [a, b, c]");
		this.lock.unlock();
		assertThat(this.lock.isValid()).isFalse();
	}

	@Test
	void aTakenLockReleasesAllOthers() throws Exception {
		this.engine.grant(new LockRequest("b", TestLocks.LONG, false));
		assertThat(this.lock.tryLock()).isFalse();
		assertThat(this.lock.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(this.engine.isTaken("a")).isFalse();
		assertThat(this.engine.isTaken("c")).isFalse();
	}

	@Test
	void aFailingLockReleasesAllOthers() {
		for (Throwable failure : List.of(new LockUnavailableException("down", null), new StackOverflowError())) {
			this.engine.next((request, wait) -> this.engine.grant(request)).fail(failure);
			assertThatExceptionOfType(Throwable.class).isThrownBy(this.lock::lock).isSameAs(failure);
			assertThat(this.engine.isTaken("a")).isFalse();
		}
	}

	@Test
	void anInterruptReleasesAllOthers() throws Exception {
		this.engine.grant(new LockRequest("b", TestLocks.LONG, false));
		var waiting = this.locks.waiting(() -> {
			this.lock.lockInterruptibly();
			return true;
		});
		await().until(() -> this.engine.waiting() == 1);
		waiting.thread().interrupt();
		await().until(() -> waiting.result().isDone());
		assertThat(this.engine.isTaken("a")).isFalse();
	}

	@Test
	void allOthersAreReleasedWhenOneWasLost() {
		this.lock.lock();
		this.engine.grants.get(1).vanish();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock)
			.satisfies((ex) -> assertThat(ex.name()).isEqualTo("b"));
		assertThat(this.engine.isTaken("a")).isFalse();
		assertThat(this.engine.isTaken("c")).isFalse();
	}

	@Test
	void aMultiLockHeldInPartIsNotReleased() {
		DistributedLock part = this.locks.get("c");
		part.lock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock)
			.withMessage("The current thread does not hold the locks [a, b] of [a, b, c]")
			.isNotInstanceOf(LockLostException.class);
		assertThat(part.isHeldByCurrentThread()).isTrue();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> this.lock.onLoss((event) -> {
		}));
		part.unlock();
	}

	@Test
	void aLossWhileWaitingForTheOthersEndsTheAttempt() {
		MultiLock fixed = this.locks.locks.all(List.of("a", "b"),
				LockOptions.DEFAULTS.withLease(Duration.ofSeconds(1)).withHoldAtMost(Duration.ofSeconds(1)));
		this.engine.next((request, wait) -> this.engine.grant(request)).next((request, wait) -> {
			TimeUnit.MILLISECONDS.sleep(1200);
			return this.engine.grant(request);
		});
		assertThatExceptionOfType(LockLostException.class).isThrownBy(fixed::lock)
			.satisfies((ex) -> assertThat(ex.name()).isEqualTo("a"));
		await().until(() -> !this.engine.isTaken("a") && !this.engine.isTaken("b"));
	}

	@Test
	void anUnnoticedLossOfAnOuterLockEndsTheAttempt() throws Exception {
		LockOptions options = LockOptions.DEFAULTS.withLease(Duration.ofMillis(300))
			.withHoldAtMost(Duration.ofMillis(300));
		DistributedLock outer = this.locks.get("a", options);
		outer.lock();
		CountDownLatch busy = new CountDownLatch(1);
		CountDownLatch free = new CountDownLatch(1);
		this.locks.get("z").lock();
		// Keeps the sweeper from looking at others, as a pause of the JVM does.
		this.engine.grant().onTimeLeft(() -> {
			if (Thread.currentThread().getName().startsWith("idempotent-lock-sweeper")) {
				busy.countDown();
				await().until(() -> free.getCount() == 0);
			}
		});
		assertThat(busy.await(1, TimeUnit.MINUTES)).isTrue();
		this.engine.next((request, wait) -> {
			while (outer.isValid()) {
				Thread.onSpinWait();
			}
			return this.engine.grant(request);
		});
		MultiLock both = this.locks.locks.all(List.of("a", "b"), options);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(both::lock)
			.satisfies((ex) -> assertThat(ex.name()).isEqualTo("a"));
		assertThat(this.engine.isTaken("b")).isFalse();
		free.countDown();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(outer::unlock);
		this.locks.get("z").unlock();
		await().until(() -> !this.engine.isTaken("a"));
	}

	@Test
	void aLockExpiringDuringAFailedAttemptDoesNotMatter() {
		MultiLock fixed = this.locks.locks.all(List.of("a", "b"),
				LockOptions.DEFAULTS.withLease(Duration.ofMillis(50)).withHoldAtMost(Duration.ofMillis(50)));
		this.engine.next((request, wait) -> this.engine.grant(request)).next((request, wait) -> {
			TimeUnit.MILLISECONDS.sleep(80);
			return null;
		});
		assertThat(fixed.tryLock()).isFalse();
		await().until(() -> !this.engine.isTaken("a"));
	}

	@Test
	void thereAreNoConditions() {
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(this.lock::newCondition)
			.withMessageContaining("[a, b, c]");
		assertThat(this.lock).hasToString("MultiLock[a, b, c]");
	}

	private void failOnce(int grant) {
		FakeEngine.FakeGrant failing = this.engine.grants.get(grant);
		failing.onRelease(() -> {
			failing.onRelease(failing::releaseSoundly);
			throw new StackOverflowError();
		});
	}

	@Test
	void anErrorOfOneReleaseLeavesNoOtherLockHeld() {
		this.lock.lock();
		failOnce(1);
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.lock::unlock);
		assertThat(this.locks.locks.held()).isEmpty();
		assertThat(this.engine.isTaken("a")).isFalse();
	}

	@Test
	void anErrorWhileAnAttemptIsGivenUpLeavesNoLockHeld() {
		this.engine.next((request, wait) -> this.engine.grant(request)).next((request, wait) -> {
			var grant = this.engine.grant(request);
			failOnce(1);
			return grant;
		}).next((request, wait) -> null);
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.lock::tryLock);
		assertThat(this.locks.locks.held()).isEmpty();
		assertThat(this.engine.isTaken("a")).isFalse();
	}

}

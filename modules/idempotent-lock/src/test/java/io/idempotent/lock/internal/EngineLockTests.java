package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.lock.DeferrableLock;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.internal.TestLocks.Waiting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * What {@link java.util.concurrent.locks.ReentrantLock} promises, and what comes on top.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class EngineLockTests {

	private final FakeEngine engine = FakeEngine.withLeases("fake");

	private final TestLocks locks = new TestLocks(this.engine);

	private final DistributedLock lock = this.locks.get("a");

	@AfterEach
	void nothingIsLeft() {
		assertThat(Thread.interrupted()).isFalse();
		assertThat(this.locks.locks.held()).isEmpty();
		await().untilAsserted(() -> assertThat(this.locks.locks.namesInUse()).isZero());
		this.locks.close();
	}

	private LockRequest taken() {
		LockRequest request = new LockRequest("a", TestLocks.LONG, false);
		this.engine.grant(request);
		return request;
	}

	@Test
	void aThreadThatReleasesNeitherHoldsNorWaits() {
		List<Object> seen = new ArrayList<>();
		this.lock.lock();
		FakeEngine.FakeGrant grant = this.engine.grant();
		grant.onRelease(() -> {
			seen.addAll(this.locks.locks.waiting());
			seen.addAll(this.locks.locks.heldByNode().toList());
			return grant.releaseSoundly();
		});
		this.lock.unlock();
		assertThat(seen).isEmpty();
		assertThat(grant.releases).hasSize(1);
	}

	@Test
	void reentryIsCountedWithoutTheEngine() {
		this.lock.lock();
		assertThat(this.lock.tryLock()).isTrue();
		assertThat(this.lock.holdCount()).isEqualTo(2);
		this.lock.unlock();
		assertThat(this.lock.isHeldByCurrentThread()).isTrue();
		assertThat(this.engine.isTaken("a")).isTrue();
		this.lock.unlock();
		assertThat(this.lock.holdCount()).isZero();
		assertThat(this.engine.isTaken("a")).isFalse();
		assertThat(this.engine.requests).hasSize(1);
	}

	@Test
	void aDeferredUnlockRunTwiceLeavesTheLockReleased() throws Exception {
		this.lock.lock();
		Runnable unlock = ((DeferrableLock) this.lock).deferredUnlock();
		this.locks.elsewhere(() -> {
			unlock.run();
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(unlock::run);
			return null;
		});
		LockRequest other = taken();
		assertThat(this.lock.tryLock()).isFalse();
		assertThat(this.engine.grant().request).isSameAs(other);
	}

	@Test
	void anUnlockByAnotherThreadIsRefused() throws Exception {
		this.lock.lock();
		this.locks.elsewhere(() -> {
			assertThat(this.lock.isHeldByCurrentThread()).isFalse();
			assertThat(this.lock.isValid()).isFalse();
			assertThat(this.lock.holdCount()).isZero();
			for (Runnable wrong : List.<Runnable>of(this.lock::unlock, this.lock::fencingToken,
					() -> this.lock.onLoss((event) -> {
					}))) {
				assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(wrong::run)
					.withMessage("The current thread does not hold the lock 'a'")
					.isNotInstanceOf(LockLostException.class);
			}
			return null;
		});
		this.lock.unlock();
	}

	@Test
	void anInterruptedThreadIsRefusedOnEntry() {
		for (int i = 0; i < 2; i++) {
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.lock::lockInterruptibly);
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> this.lock.tryLock(1, TimeUnit.SECONDS));
			assertThat(this.lock.holdCount()).isEqualTo(i);
			this.lock.lock();
		}
		this.lock.unlock();
		this.lock.unlock();
	}

	@Test
	void lockAndUnlockKeepTheInterruptStatus() {
		Thread.currentThread().interrupt();
		this.lock.lock();
		assertThat(this.lock.tryLock()).isTrue();
		this.lock.unlock();
		this.lock.unlock();
		assertThat(this.lock.tryLock()).isTrue();
		this.lock.unlock();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.engine.isTaken("a")).isFalse();
	}

	@Test
	void lockWaitsThroughInterruptsAtTheEngineAndKeepsThem() throws Exception {
		taken();
		Waiting<Boolean> waiting = this.locks.waiting(() -> {
			this.lock.lock();
			this.lock.unlock();
			return Thread.interrupted();
		});
		await().until(() -> this.engine.waiting() == 1);
		waiting.thread().interrupt();
		await().until(() -> !waiting.thread().isInterrupted());
		this.engine.grant().vanish();
		assertThat(waiting.get()).isTrue();
		assertThat(this.engine.requests).singleElement().extracting(LockRequest::interruptible).isEqualTo(false);
	}

	@Test
	void lockRepeatsAnAcquireThatWasInterrupted() {
		this.engine.fail(new InterruptedException());
		this.lock.lock();
		this.lock.unlock();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.engine.requests).hasSize(2);
	}

	@Test
	void anInterruptCostsAThreadOfThisJvmNoTurn() throws Exception {
		List<Integer> served = new CopyOnWriteArrayList<>();
		List<Waiting<Boolean>> waiting = new ArrayList<>();
		this.lock.lock();
		for (int i = 0; i < 3; i++) {
			int number = i;
			waiting.add(this.locks.waiting(() -> {
				this.lock.lock();
				served.add(number);
				this.lock.unlock();
				return Thread.interrupted();
			}));
		}
		for (int i = 0; i < 10; i++) {
			waiting.get(0).thread().interrupt();
			await().until(() -> !waiting.get(0).thread().isInterrupted());
		}
		this.lock.unlock();
		assertThat(waiting.get(0).get()).isTrue();
		assertThat(waiting.get(2).get()).isFalse();
		assertThat(waiting.get(1).get()).isFalse();
		assertThat(served).containsExactly(0, 1, 2);
	}

	@Test
	void anInterruptEndsTheWaitInTheQueue() throws Exception {
		this.lock.lock();
		Waiting<Boolean> waiting = this.locks.waiting(() -> isInterrupted(this.lock::lockInterruptibly));
		waiting.thread().interrupt();
		assertThat(waiting.get()).isTrue();
		Waiting<Boolean> timed = this.locks.waiting(() -> isInterrupted(() -> this.lock.tryLock(1, TimeUnit.MINUTES)));
		timed.thread().interrupt();
		assertThat(timed.get()).isTrue();
		assertThat(this.engine.requests).hasSize(1);
		this.lock.unlock();
	}

	@Test
	void anInterruptEndsTheWaitAtTheEngine() throws Exception {
		taken();
		Waiting<Boolean> waiting = this.locks.waiting(() -> isInterrupted(this.lock::lockInterruptibly));
		await().until(() -> this.engine.waiting() == 1);
		waiting.thread().interrupt();
		assertThat(waiting.get()).isTrue();
		assertThat(this.locks.locks.namesInUse()).isZero();
	}

	private static boolean isInterrupted(Interruptible way) {
		try {
			way.lock();
			return false;
		}
		catch (InterruptedException ex) {
			return !Thread.currentThread().isInterrupted();
		}
	}

	@Test
	void tryLockOvertakesWaitersAndNeverWaits() throws Exception {
		this.lock.lock();
		Waiting<Boolean> waiting = this.locks.waiting(() -> {
			this.lock.lock();
			this.lock.unlock();
			return true;
		});
		assertThat(this.locks.<Boolean>elsewhere(() -> this.lock.tryLock())).isFalse();
		this.lock.unlock();
		assertThat(waiting.get()).isTrue();
		assertThat(this.engine.waits).containsOnly(LockEngine.FOREVER);
	}

	@Test
	void anUntimedAttemptAndATimeOfZeroOrLessDoNotWaitAtTheEngine() throws Exception {
		taken();
		assertThat(this.lock.tryLock()).isFalse();
		assertThat(this.lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
		assertThat(this.lock.tryLock(Long.MIN_VALUE, TimeUnit.DAYS)).isFalse();
		assertThat(this.engine.waits).containsExactly(Duration.ZERO, Duration.ZERO, Duration.ZERO);
	}

	@Test
	void theLongestTimeIsNoOverflow() throws Exception {
		assertThat(this.lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
		assertThat(this.engine.waits.get(0)).isGreaterThan(Duration.ofDays(100_000));
		this.lock.unlock();
	}

	@Test
	void oneThreadOfThisJvmWaitsAtTheEngine() throws Exception {
		taken();
		List<Waiting<Boolean>> waiting = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			waiting.add(this.locks.waiting(() -> {
				this.lock.lock();
				this.lock.unlock();
				return true;
			}));
		}
		assertThat(this.engine.waiting()).isOne();
		assertThat(this.engine.requests).hasSize(1);
		this.engine.grant().vanish();
		for (Waiting<Boolean> each : waiting) {
			assertThat(each.get()).isTrue();
		}
	}

	@Test
	void aLocalWaiterFailsWhenTheLocksAreClosed() throws Exception {
		TestLocks closing = new TestLocks(this.engine);
		DistributedLock closed = closing.get("closing");
		closed.lock();
		List<Waiting<Boolean>> waiting = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			waiting.add(closing.waiting(() -> {
				closed.lock();
				return true;
			}));
		}
		closing.locks.close();
		for (Waiting<Boolean> each : waiting) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(each::get)
				.withCauseInstanceOf(LockUnavailableException.class)
				.withMessageContaining("the locks of this application are closed");
		}
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(closing.get("other")::tryLock);
		closed.unlock();
		assertThat(this.engine.isTaken("closing")).isFalse();
		closing.close();
	}

	@Test
	void theTimeIsSharedByTheQueueAndTheEngine() throws Exception {
		this.lock.lock();
		Waiting<Boolean> waiting = this.locks.waiting(() -> {
			boolean obtained = this.lock.tryLock(30, TimeUnit.SECONDS);
			this.lock.unlock();
			return obtained;
		});
		TimeUnit.MILLISECONDS.sleep(200);
		this.lock.unlock();
		assertThat(waiting.get()).isTrue();
		assertThat(this.engine.waits.get(1)).isLessThanOrEqualTo(Duration.ofSeconds(30).minusMillis(200));
	}

	@Test
	void aTimeoutInTheQueueNeverReachesTheEngine() throws Exception {
		this.lock.lock();
		assertThat(this.locks.elsewhere(() -> this.lock.tryLock(50, TimeUnit.MILLISECONDS))).isFalse();
		this.lock.unlock();
		assertThat(this.engine.requests).hasSize(1);
	}

	static List<Throwable> failures() {
		return List.of(new LockUnavailableException("down", null), new IllegalStateException("a defect"));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void anEngineThatFailsLeavesNothingBehind(RuntimeException failure) {
		this.engine.fail(failure).fail(new StackOverflowError());
		assertThatThrownBy(this.lock::lock).isSameAs(failure);
		assertThat(this.locks.told())
			.isEqualTo((failure instanceof LockUnavailableException) ? List.of(LockEvent.Type.UNAVAILABLE) : List.of());
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.lock::lock);
		assertThat(this.locks.locks.namesInUse()).isZero();
		assertThat(this.lock.tryLock()).isTrue();
		this.lock.unlock();
	}

	@ParameterizedTest
	@MethodSource("failures")
	void aFailedReleaseIsRepeatedInTheBackground(RuntimeException failure) throws Exception {
		this.lock.lock();
		AtomicInteger attempts = new AtomicInteger();
		this.engine.grant().onRelease(() -> {
			if (attempts.incrementAndGet() < 3) {
				throw failure;
			}
			return this.engine.grant().releaseSoundly();
		});
		this.lock.unlock();
		assertThat(this.lock.isHeldByCurrentThread()).isFalse();
		assertThat(this.locks.locks.namesInUse()).isZero();
		assertThat(this.locks.told()).containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.RELEASE_DELAYED,
				LockEvent.Type.RELEASED);
		await().until(() -> !this.engine.isTaken("a"));
		assertThat(attempts).hasValue(3);
	}

	@Test
	void anErrorBeforeTheReleaseAdmitsOthersAndTheReleaseIsRepeated() throws Exception {
		this.lock.lock();
		FakeEngine.FakeGrant grant = this.engine.grant();
		grant.onAbandoned(() -> {
			grant.onAbandoned(() -> {
			});
			throw new StackOverflowError();
		});
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.lock::unlock);
		await().until(() -> !this.engine.isTaken("a"));
		assertThat(this.locks.<Boolean>elsewhere(() -> {
			this.lock.lock();
			this.lock.unlock();
			return true;
		})).isTrue();
	}

	@Test
	void aReleaseThatFailsPermanentlyStillAdmitsTheNextThread() {
		this.lock.lock();
		this.engine.grant().onRelease(() -> {
			throw new StackOverflowError();
		});
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.lock::unlock);
		assertThat(this.lock.isHeldByCurrentThread()).isFalse();
		assertThat(this.locks.locks.namesInUse()).isZero();
	}

	@Test
	void aDelayedReleaseHonoursTheRestOfTheShortestHold() {
		DistributedLock kept = this.locks.get("a", LockOptions.DEFAULTS.withHoldAtLeast(Duration.ofMinutes(1)));
		kept.lock();
		AtomicInteger attempts = new AtomicInteger();
		this.engine.grant().onRelease(() -> {
			if (attempts.incrementAndGet() == 1) {
				throw new LockUnavailableException("down", null);
			}
			return GrantState.HELD;
		});
		kept.unlock();
		await().until(() -> this.engine.grant().releases.size() == 2);
		assertThat(this.engine.grant().releases.get(1)).isPositive().isLessThan(this.engine.grant().releases.get(0));
	}

	@Test
	void theEngineEnforcesTheShortestHold() {
		DistributedLock kept = this.locks.get("a", LockOptions.DEFAULTS.withHoldAtLeast(Duration.ofMinutes(1)));
		kept.lock();
		kept.unlock();
		assertThat(kept.isHeldByCurrentThread()).isFalse();
		assertThat(this.engine.grant().releases).singleElement()
			.satisfies((rest) -> assertThat(rest).isBetween(Duration.ofSeconds(40), Duration.ofMinutes(1)));
	}

	@Test
	void aLossFoundAtTheReleaseIsReportedOnce() {
		AtomicInteger told = new AtomicInteger();
		this.lock.lock();
		this.lock.onLoss((event) -> told.incrementAndGet());
		this.engine.grant().vanish();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock)
			.satisfies((ex) -> assertThat(ex.name()).isEqualTo("a"))
			.withMessageContaining("lock 'a' (fake, token 1)");
		assertThat(told).hasValue(1);
		assertThat(this.locks.told()).containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.LOST);
		assertThat(this.lock.isHeldByCurrentThread()).isFalse();
	}

	@Test
	void aLostLockIsUnlockedForEachEntry() {
		this.lock.lock();
		this.lock.lock();
		this.engine.endSession();
		assertThat(this.lock.isHeldByCurrentThread()).isFalse();
		assertThat(this.lock.holdCount()).isZero();
		assertThat(this.locks.locks.current()).isPresent();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::lock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::tryLock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::fencingToken);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock)
			.isNotInstanceOf(LockLostException.class);
		assertThat(this.lock.tryLock()).isTrue();
		this.lock.unlock();
	}

	@Test
	void aFormerHolderDoesNotDisturbTheNextOne() throws Exception {
		this.lock.lock();
		CountDownLatch done = new CountDownLatch(1);
		this.engine.endSession();
		await().until(() -> !this.engine.isTaken("a"));
		Waiting<Boolean> next = this.locks.waiting(() -> {
			this.lock.lock();
			done.await();
			boolean valid = this.lock.isValid();
			this.lock.unlock();
			return valid;
		});
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
		assertThat(this.locks.<Boolean>elsewhere(() -> this.lock.tryLock())).isFalse();
		done.countDown();
		assertThat(next.get()).isTrue();
	}

	@Test
	void anExpiredLockIsNotReentered() {
		DistributedLock fixed = this.locks.get("a",
				LockOptions.DEFAULTS.withLease(Duration.ofMillis(10)).withHoldAtMost(Duration.ofMillis(10)));
		for (int i = 0; i < 20; i++) {
			fixed.lock();
			while (fixed.isValid()) {
				Thread.onSpinWait();
			}
			assertThatExceptionOfType(LockLostException.class).isThrownBy(fixed::tryLock);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(fixed::unlock);
			await().until(() -> !this.engine.isTaken("a"));
		}
		assertThat(this.engine.grants).allSatisfy((grant) -> assertThat(grant.releases).hasSize(1));
	}

	@Test
	void aGrantThatEndsDuringItsReleaseAdmitsOneThread() throws Exception {
		AtomicBoolean ends = new AtomicBoolean(true);
		this.lock.lock();
		FakeEngine.FakeGrant grant = this.engine.grant();
		for (int i = 0; i < 2; i++) {
			this.locks.waiting(() -> {
				this.lock.lockInterruptibly();
				this.lock.unlock();
				return true;
			});
		}
		assertThat(this.engine.requests).hasSize(1);
		grant.onRelease(() -> GrantState.HELD).onTimeLeft(() -> {
			if (ends.getAndSet(false)) {
				grant.end();
			}
		});
		this.lock.unlock();
		await().until(() -> this.engine.waiting() > 0);
		await().during(Duration.ofMillis(200)).until(() -> this.engine.requests.size() == 2);
		grant.vanish();
	}

	@Test
	void aGrantThatHasEndedIsForgottenWithTheNextOne() {
		DistributedLock next = this.locks.get("b");
		this.lock.lock();
		this.engine.grant().end();
		next.lock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock)
			.isNotInstanceOf(LockLostException.class);
		next.unlock();
	}

	@Test
	void aLossListenerIsCalledOnceEvenIfAddedAfterTheLoss() {
		List<LockEvent> early = new CopyOnWriteArrayList<>();
		List<LockEvent> late = new CopyOnWriteArrayList<>();
		this.lock.lock();
		this.lock.onLoss(early::add);
		this.engine.endSession();
		this.engine.endSession();
		this.lock.onLoss(late::add);
		assertThat(late).hasSize(1);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
		await().until(() -> early.size() == 1);
		LockEvent lost = this.locks.told(LockEvent.Type.LOST);
		assertThat(early).containsExactly(lost);
		assertThat(lost.name()).isEqualTo("a");
		assertThat(lost.engine()).isEqualTo("fake");
		assertThat(lost.token()).isOne();
		assertThat(lost.time()).isPositive();
		assertThat(this.locks.told()).containsOnlyOnce(LockEvent.Type.LOST);
	}

	@Test
	void aLossListenerIsForgottenWithItsHold() {
		List<LockEvent> told = new CopyOnWriteArrayList<>();
		this.lock.lock();
		this.lock.onLoss(told::add);
		this.lock.unlock();
		this.lock.lock();
		this.engine.endSession();
		this.locks.told(LockEvent.Type.LOST);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
		assertThat(told).isEmpty();
	}

	@Test
	void aFailingListenerAffectsNothingElse() {
		LockListener failing = (event) -> {
			throw new StackOverflowError();
		};
		EngineDistributedLocks noisy = new EngineDistributedLocks(List.of(this.engine), TestLocks.LONG,
				List.of(failing, this.locks.events::add));
		DistributedLock told = noisy.get("b");
		told.lock();
		told.onLoss(failing);
		told.unlock();
		noisy.close();
		assertThat(this.locks.told()).containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.RELEASED);
	}

	@Test
	void aListenerMayTakeTheLockItIsNotifiedAbout() throws Exception {
		AtomicInteger told = new AtomicInteger();
		List<EngineDistributedLocks> self = new ArrayList<>();
		EngineDistributedLocks listening = new EngineDistributedLocks(List.of(this.engine), TestLocks.LONG,
				List.of((event) -> {
					if (event.type() != LockEvent.Type.OBTAINED && told.incrementAndGet() < 9) {
						DistributedLock again = self.get(0).get(event.name());
						again.lock();
						again.unlock();
					}
				}));
		self.add(listening);
		this.locks.elsewhere(() -> {
			this.engine.fail(new LockUnavailableException("down", null));
			DistributedLock reentered = listening.get("b");
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(reentered::lock);
			reentered.lock();
			this.engine.grant().onRelease(() -> GrantState.LOST).vanish();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(reentered::unlock);
			return null;
		});
		assertThat(listening.namesInUse()).isZero();
		listening.close();
	}

	@Test
	void everyEventNamesTypeLockNodeAndDuration() {
		this.lock.lock();
		this.lock.unlock();
		taken();
		this.lock.tryLock();
		assertThat(this.locks.events).extracting(LockEvent::type)
			.containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.RELEASED, LockEvent.Type.NOT_OBTAINED);
		assertThat(this.locks.events).extracting(LockEvent::token).containsExactly(1L, 1L, 0L);
		assertThat(this.locks.events).extracting(LockEvent::name).containsOnly("a");
		assertThat(this.locks.events).extracting(LockEvent::engine).containsOnly("fake");
		assertThat(this.locks.events)
			.allSatisfy((event) -> assertThat(event.time()).isPositive().isLessThan(Duration.ofSeconds(30)));
	}

	@Test
	void theTimeOfAnUnavailableEngineIsTheWholeWait() throws Exception {
		this.lock.lock();
		this.engine.fail(new LockUnavailableException("down", null));
		Waiting<Boolean> waiting = this.locks.waiting(() -> {
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this.lock::lock);
			return true;
		});
		TimeUnit.MILLISECONDS.sleep(100);
		this.lock.unlock();
		assertThat(waiting.get()).isTrue();
		assertThat(this.locks.told(LockEvent.Type.UNAVAILABLE).time()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
	}

	@Test
	void thereAreNoConditions() {
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(this.lock::newCondition)
			.withMessageContaining("'a'");
		assertThat(this.lock).hasToString("DistributedLock[a]");
	}

	@Test
	void theFirstEngineIsUsed() {
		FakeEngine second = FakeEngine.withLeases("second");
		try (TestLocks fixed = new TestLocks(this.engine, second)) {
			assertThat(fixed.get("a").tryLock()).isTrue();
			fixed.get("a").unlock();
			assertThat(this.engine.requests).hasSize(1);
		}
	}

	@Test
	void enginesOfOneNameAreRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new TestLocks(this.engine, FakeEngine.withoutLeases("fake")))
			.withMessage("There are two lock engines 'fake'");
		assertThatIllegalArgumentException().isThrownBy(() -> new TestLocks()).withMessage("There is no lock engine");
	}

	@Test
	void heldLocksAreListedInTheOrderOfAcquisition() throws Exception {
		DistributedLock other = this.locks.get("b", LockOptions.DEFAULTS.withFair(true));
		assertThat(this.locks.locks.current()).isEmpty();
		this.lock.lock();
		other.lock();
		this.lock.lock();
		assertThat(this.locks.locks.held()).extracting(DistributedLock::name).containsExactly("a", "b");
		assertThat(this.locks.locks.current()).map(DistributedLock::fencingToken).hasValue(other.fencingToken());
		assertThat(this.locks.elsewhere(this.locks.locks::held)).isEmpty();
		this.lock.unlock();
		this.lock.unlock();
		assertThat(this.locks.locks.current()).map(DistributedLock::name).hasValue("b");
		other.unlock();
		assertThat(this.locks.locks.current()).isEmpty();
	}

	private interface Interruptible {

		void lock() throws InterruptedException;

	}

}

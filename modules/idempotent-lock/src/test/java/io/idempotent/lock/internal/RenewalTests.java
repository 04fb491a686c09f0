package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.internal.FakeEngine.FakeGrant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * When a lease is renewed, and what comes of it.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class RenewalTests {

	/** Over soon, and perhaps before anybody has looked at it. */
	private static final LockOptions SHORT = LockOptions.DEFAULTS.withLease(Duration.ofMillis(120));

	/** Long enough for a busy machine to renew it in time. */
	private static final LockOptions RENEWED = LockOptions.DEFAULTS.withLease(Duration.ofSeconds(3));

	private final FakeEngine engine = FakeEngine.withLeases("fake");

	@AutoClose
	private final TestLocks locks = new TestLocks(this.engine);

	@Test
	void aShortHoldNeedsNoRenewal() {
		for (int i = 0; i < 100; i++) {
			DistributedLock lock = this.locks.get("a");
			lock.lock();
			lock.unlock();
		}
		assertThat(this.engine.grants).hasSize(100)
			.allSatisfy((grant) -> assertThat(grant.renewals).isEmpty())
			.allSatisfy((grant) -> assertThat(grant.releases).containsExactly(Duration.ZERO));
	}

	@Test
	void aLongerHoldIsRenewedForItsWholeLeaseAgainAndAgain() {
		DistributedLock lock = this.locks.get("a", RENEWED);
		lock.lock();
		await().until(() -> this.engine.grant().renewals.size() >= 3);
		assertThat(lock.isValid()).isTrue();
		lock.unlock();
		assertThat(this.engine.grant().renewals).containsOnly(Duration.ofSeconds(3));
		assertThat(this.locks.told()).containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.RELEASED);
	}

	@Test
	void aFixedLeaseIsNeverRenewed() throws Exception {
		this.engine.next((request, wait) -> {
			// As slow as a distant server, and far from a third of the lease.
			TimeUnit.MILLISECONDS.sleep(20);
			return this.engine.grant(request);
		});
		DistributedLock lock = this.locks.get("a",
				SHORT.withLease(Duration.ofMillis(1500)).withHoldAtMost(Duration.ofMillis(1500)));
		CountDownLatch lost = new CountDownLatch(1);
		lock.lock();
		lock.onLoss((event) -> lost.countDown());
		assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.engine.grant().renewals).isEmpty();
		assertThat(lock.isValid()).isFalse();
	}

	@Test
	void aLeaseWithAMaximumIsRenewedUntilThen() throws Exception {
		DistributedLock lock = this.locks.get("a", RENEWED.withHoldAtMost(Duration.ofMillis(3500)));
		CountDownLatch lost = new CountDownLatch(1);
		lock.lock();
		lock.onLoss((event) -> lost.countDown());
		assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.engine.grant().renewals).isNotEmpty();
		assertThat(this.locks.told(LockEvent.Type.LOST).time()).isGreaterThan(Duration.ofSeconds(3));
	}

	@Test
	void aFixedLeaseIsHeldToOnAnEngineWithoutLeases() throws Exception {
		FakeEngine eternal = FakeEngine.withoutLeases("eternal");
		try (TestLocks others = new TestLocks(eternal)) {
			DistributedLock lock = others.get("a", SHORT.withHoldAtMost(Duration.ofMillis(120)));
			lock.lock();
			others.told(LockEvent.Type.LOST);
			await().until(() -> !eternal.isTaken("a"));
			assertThat(others.elsewhere(() -> others.get("a").tryLock())).isTrue();
		}
	}

	/** The time for which it was waited at the engine is no part of the hold. */
	@Test
	void theLongestHoldCountsFromTheGrantOnAnEngineWithoutLeases() {
		FakeEngine eternal = FakeEngine.withoutLeases("eternal");
		AtomicLong granted = new AtomicLong();
		eternal.next((request, wait) -> {
			TimeUnit.MILLISECONDS.sleep(100);
			granted.set(System.nanoTime());
			return eternal.grant(request);
		});
		Duration longest = Duration.ofMinutes(1);
		try (TestLocks others = new TestLocks(eternal)) {
			others.get("a", SHORT.withHoldAtMost(longest)).lock();
			long now = System.nanoTime();
			assertThat(others.locks.heldByNode().findFirst().orElseThrow().nanosLeft(now))
				.isGreaterThanOrEqualTo(longest.toNanos() - (now - granted.get()));
		}
	}

	@Test
	void oneRenewalOfAHoldIsUnderWayAtATime() throws Exception {
		CountDownLatch answer = new CountDownLatch(1);
		AtomicInteger underWay = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		DistributedLock lock = this.locks.get("a", RENEWED);
		lock.lock();
		FakeGrant grant = this.engine.grant().onRenewal(() -> {
			most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
			TestLocks.awaitQuietly(answer);
			underWay.decrementAndGet();
			return GrantState.HELD;
		});
		await().until(() -> !grant.renewals.isEmpty());
		this.locks.told(LockEvent.Type.LOST);
		answer.countDown();
		assertThat(grant.renewals).hasSize(1);
		assertThat(most).hasValue(1);
	}

	@Test
	void aHangingEngineDoesNotDelayTheReportOfALoss() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		int holds = 12;
		CountDownLatch lost = new CountDownLatch(holds);
		for (int i = 0; i < holds; i++) {
			DistributedLock lock = this.locks.get("hung-" + i, SHORT);
			lock.lock();
			this.engine.grant().onRenewal(() -> {
				TestLocks.awaitQuietly(never);
				return GrantState.HELD;
			});
			lock.onLoss((event) -> lost.countDown());
		}
		assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(never.getCount()).isOne();
		never.countDown();
	}

	static List<RuntimeException> failures() {
		return List.of(new LockUnavailableException("down", null), new IllegalStateException("a defect"));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void aFailedRenewalMakesTheLeaseSuspectUntilTheNext(RuntimeException failure) {
		DistributedLock lock = this.locks.get("a", RENEWED);
		AtomicInteger failures = new AtomicInteger();
		lock.lock();
		this.engine.grant().onRenewal(() -> {
			if (failures.incrementAndGet() == 1) {
				throw failure;
			}
			return GrantState.HELD;
		});
		LockEvent suspect = this.locks.told(LockEvent.Type.SUSPECT);
		assertThat(suspect.name()).isEqualTo("a");
		assertThat(suspect.engine()).isEqualTo("fake");
		assertThat(suspect.token()).isEqualTo(lock.fencingToken());
		LockEvent resumed = this.locks.told(LockEvent.Type.RESUMED);
		assertThat(resumed.token()).isEqualTo(lock.fencingToken());
		assertThat(lock.isValid()).isTrue();
		lock.unlock();
		assertThat(this.locks.told()).containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.SUSPECT,
				LockEvent.Type.RESUMED, LockEvent.Type.RELEASED);
	}

	@Test
	void aGrantThatIsGoneIsALossBeforeTheLeaseEnds() {
		DistributedLock lock = this.locks.get("a", SHORT.withLease(Duration.ofSeconds(6)));
		lock.lock();
		this.engine.grant().vanish();
		LockEvent lost = this.locks.told(LockEvent.Type.LOST);
		assertThat(lost.time()).isLessThan(Duration.ofSeconds(6));
		assertThat(lock.isValid()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		assertThat(this.engine.grant().releases).isEmpty();
		assertThat(this.locks.locks.namesInUse()).isZero();
	}

	@Test
	void aGrantAfterAWaitIsRenewedBeforeItIsUsed() {
		this.engine.next((request, wait) -> {
			TimeUnit.MILLISECONDS.sleep(1100);
			return this.engine.grant(request);
		});
		DistributedLock lock = this.locks.get("a", RENEWED.withHoldAtMost(Duration.ofSeconds(3)));
		lock.lock();
		assertThat(this.engine.grant().renewals).containsExactly(Duration.ofSeconds(3));
		assertThat(lock.isValid()).isTrue();
	}

	@Test
	void aGrantThatExpiredDuringTheWaitIsRequestedAgain() {
		this.engine.next((request, wait) -> {
			TimeUnit.MILLISECONDS.sleep(1100);
			FakeGrant grant = this.engine.grant(request);
			grant.vanish();
			return grant;
		});
		DistributedLock lock = this.locks.get("a", RENEWED);
		lock.lock();
		assertThat(this.engine.requests).hasSize(2);
		assertThat(lock.isValid()).isTrue();
		lock.unlock();
	}

	@Test
	void tryLockIsNotRepeatedForAGrantThatIsGone() {
		for (int i = 0; i < 2; i++) {
			this.engine.next((request, wait) -> {
				TimeUnit.MILLISECONDS.sleep(100);
				FakeGrant grant = this.engine.grant(request);
				grant.vanish();
				return grant;
			});
		}
		assertThat(this.locks.get("a", SHORT).tryLock()).isFalse();
		assertThat(this.engine.requests).hasSize(1);
		assertThat(this.locks.locks.namesInUse()).isZero();
	}

	@Test
	void anOldGrantThatCannotBeRenewedIsReleased() {
		this.engine.next((request, wait) -> {
			TimeUnit.MILLISECONDS.sleep(200);
			return this.engine.grant(request).failRenewals(new LockUnavailableException("down", null));
		});
		DistributedLock lock = this.locks.get("a", SHORT);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(lock::lock);
		assertThat(lock.isHeldByCurrentThread()).isFalse();
		await().until(() -> !this.engine.isTaken("a"));
		assertThat(this.locks.locks.namesInUse()).isZero();
	}

	@Test
	void callerThreadsNeverRenew() {
		Set<Thread> renewing = ConcurrentHashMap.newKeySet();
		this.engine.next((request, wait) -> {
			TimeUnit.MILLISECONDS.sleep(700);
			FakeGrant grant = this.engine.grant(request);
			return grant.onRenewal(() -> {
				renewing.add(Thread.currentThread());
				assertThat(Thread.currentThread().isInterrupted()).isFalse();
				return grant.answerSoundly();
			});
		});
		DistributedLock lock = this.locks.get("a", SHORT.withLease(Duration.ofSeconds(2)));
		lock.lock();
		assertThat(renewing).as("an old grant").isNotEmpty();
		Thread.currentThread().interrupt();
		lock.extend(Duration.ofSeconds(1));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(renewing).doesNotContain(Thread.currentThread());
		lock.unlock();
	}

}

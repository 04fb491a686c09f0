package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.internal.FakeEngine.FakeGrant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The states of a lease, one transition at a time. Times are moved by when the lease is
 * said to have started.
 */
class HeldLockTests {

	private static final Duration LEASE = Duration.ofMinutes(1);

	private final FakeEngine engine = FakeEngine.withLeases("fake");

	private final FakeGrant grant = this.engine.grant(new LockRequest("a", LEASE, false));

	@AfterEach
	void nobodyIsInterrupted() {
		assertThat(Thread.interrupted()).isFalse();
	}

	private HeldLock startedBefore(Duration past) {
		return startedBefore(past, LockOptions.DEFAULTS, null);
	}

	private HeldLock startedBefore(Duration past, LockOptions options, Duration limit) {
		return new HeldLock("a", null,
				new HeldLease(this.engine, this.grant, limit, System.nanoTime() - past.toNanos()), options);
	}

	@Test
	void aHeldLeaseBecomesSuspectOnceAndResumesOnce() {
		HeldLock hold = startedBefore(Duration.ZERO);
		assertThat(hold.resume()).isFalse();
		assertThat(hold.suspect()).isTrue();
		assertThat(hold.suspect()).isFalse();
		assertThat(hold.isValid()).isTrue();
		assertThat(hold.resume()).isTrue();
		assertThat(hold.isValid()).isTrue();
	}

	@Test
	void aHeldLeaseIsLostOnce() {
		HeldLock hold = startedBefore(Duration.ZERO);
		assertThat(hold.lose()).isEmpty();
		assertThat(hold.isLost()).isTrue();
		assertThat(hold.isValid()).isFalse();
		assertThat(hold.lose()).isNull();
	}

	@Test
	void aSuspectLeaseIsLost() {
		HeldLock hold = startedBefore(Duration.ZERO);
		hold.suspect();
		assertThat(hold.lose()).isNotNull();
		assertThat(hold.isLost()).isTrue();
	}

	@Test
	void aSuspectLeaseIsReleased() {
		HeldLock hold = startedBefore(Duration.ZERO);
		hold.suspect();
		assertThat(hold.markReleased()).isTrue();
		assertThat(hold.isValid()).isFalse();
	}

	@Test
	void whatIsLostIsNeitherSuspectNorResumedNorReleased() {
		HeldLock hold = startedBefore(Duration.ZERO);
		hold.lose();
		assertThat(hold.suspect()).isFalse();
		assertThat(hold.resume()).isFalse();
		assertThat(hold.markReleased()).isFalse();
		assertThat(hold.isLost()).isTrue();
	}

	@Test
	void whatIsReleasedIsNeitherSuspectNorResumedNorLost() {
		HeldLock hold = startedBefore(Duration.ZERO);
		assertThat(hold.markReleased()).isTrue();
		assertThat(hold.suspect()).isFalse();
		assertThat(hold.resume()).isFalse();
		assertThat(hold.lose()).isNull();
		assertThat(hold.isLost()).isFalse();
		assertThat(hold.isValid()).isFalse();
	}

	@Test
	void itIsCheckedAtItsEndAndEverySixthOfItsLease() {
		long now = System.nanoTime();
		assertThat(startedBefore(Duration.ZERO).lease().nanosToNextCheck(now)).isEqualTo(LEASE.dividedBy(6).toNanos());
		HeldLock limited = startedBefore(Duration.ZERO, LockOptions.DEFAULTS, Duration.ofSeconds(1));
		assertThat(limited.lease().nanosToNextCheck(System.nanoTime())).isBetween(0L, Duration.ofSeconds(1).toNanos());
		HeldLock over = startedBefore(LEASE);
		assertThat(over.lease().nanosToNextCheck(System.nanoTime())).isZero();
	}

	@Test
	void anExpiredLeaseIsInvalidBeforeItsLossIsNoticed() {
		HeldLock hold = startedBefore(LEASE);
		assertThat(hold.lease().hasEnded(System.nanoTime())).isTrue();
		assertThat(hold.isLost()).isFalse();
		assertThat(hold.isValid()).isFalse();
	}

	@Test
	void aRenewalStartsTheLeaseAgain() {
		HeldLock hold = startedBefore(LEASE.minusSeconds(10));
		assertThat(hold.lease().renew()).isEqualTo(GrantState.HELD);
		assertThat(hold.lease().hasEnded(System.nanoTime() + LEASE.minusSeconds(10).toNanos())).isFalse();
		assertThat(hold.lease().hasEnded(System.nanoTime() + LEASE.plusSeconds(1).toNanos())).isTrue();
	}

	@Test
	void aLateRenewalDoesNotRestoreALease() {
		HeldLock hold = startedBefore(LEASE);
		hold.suspect();
		assertThat(hold.lease().renew()).isEqualTo(GrantState.HELD);
		assertThat(hold.isValid()).isFalse();
		assertThat(hold.resume()).isFalse();
	}

	@Test
	void aRefusedRenewalLeavesTheLeaseUnchanged() {
		HeldLock hold = startedBefore(LEASE.minusSeconds(10));
		this.grant.vanish();
		assertThat(hold.lease().renew()).isEqualTo(GrantState.LOST);
		assertThat(hold.lease().hasEnded(System.nanoTime() + Duration.ofSeconds(11).toNanos())).isTrue();
	}

	@Test
	void aRenewalOvertakenByAnExtensionAddsWhatItRequested() {
		HeldLock hold = startedBefore(LEASE.minusSeconds(5), LockOptions.DEFAULTS, LEASE.plusSeconds(5));
		this.grant.onRenewal(() -> {
			hold.lease().limitAtLeast(System.nanoTime() + Duration.ofMinutes(5).toNanos());
			return GrantState.HELD;
		});
		hold.lease().renew();
		assertThat(this.grant.renewals).singleElement()
			.satisfies((asked) -> assertThat(asked).isLessThanOrEqualTo(Duration.ofSeconds(10)));
		assertThat(hold.lease().hasEnded(System.nanoTime() + Duration.ofSeconds(11).toNanos())).isTrue();
	}

	@Test
	void renewalIsDueAfterAThirdOfTheLease() {
		HeldLock hold = startedBefore(Duration.ZERO);
		long now = System.nanoTime();
		assertThat(hold.lease().isRenewalDue(now + Duration.ofSeconds(19).toNanos())).isFalse();
		assertThat(hold.lease().isRenewalDue(now + Duration.ofSeconds(21).toNanos())).isTrue();
	}

	@Test
	void noRenewalIsDueThatCouldAddNothing() {
		HeldLock hold = startedBefore(Duration.ofSeconds(30), LockOptions.DEFAULTS, LEASE);
		assertThat(hold.lease().isRenewalDue(System.nanoTime())).isFalse();
	}

	@Test
	void theLimitEndsALeaseHoweverOftenItIsRenewed() {
		HeldLock hold = startedBefore(Duration.ofSeconds(30), LockOptions.DEFAULTS, Duration.ofSeconds(70));
		assertThat(hold.lease().isRenewalDue(System.nanoTime())).isTrue();
		hold.lease().renew();
		assertThat(hold.lease().hasEnded(System.nanoTime() + Duration.ofSeconds(39).toNanos())).isFalse();
		assertThat(hold.lease().hasEnded(System.nanoTime() + Duration.ofSeconds(41).toNanos())).isTrue();
		assertThat(hold.lease().isRenewalDue(System.nanoTime() + Duration.ofSeconds(35).toNanos())).isFalse();
		assertThat(this.grant.renewals).hasSize(1)
			.allSatisfy((asked) -> assertThat(asked).isBetween(Duration.ofSeconds(38), Duration.ofSeconds(40)));
	}

	@Test
	void aConnectionCanShortenALeaseButNeverExtendIt() {
		HeldLock hold = startedBefore(Duration.ZERO);
		long now = System.nanoTime();
		hold.lease().endBy(now + LEASE.multipliedBy(2).toNanos());
		assertThat(hold.lease().hasEnded(now + LEASE.toNanos())).isTrue();
		hold.lease().endBy(now + TimeUnit.SECONDS.toNanos(5));
		assertThat(hold.lease().hasEnded(now + TimeUnit.SECONDS.toNanos(4))).isFalse();
		assertThat(hold.lease().hasEnded(now + TimeUnit.SECONDS.toNanos(5))).isTrue();
	}

	@Test
	void noLossListenerIsAddedAfterTheLoss() {
		HeldLock hold = startedBefore(Duration.ZERO);
		assertThat(hold.onLoss((event) -> {
		})).isTrue();
		assertThat(hold.onLoss((event) -> {
		})).isTrue();
		assertThat(hold.lose()).hasSize(2);
		assertThat(hold.onLoss((event) -> {
		})).isFalse();
	}

	@Test
	void theRestOfTheShortestHoldIsComputed() {
		LockOptions options = LockOptions.DEFAULTS.withHoldAtLeast(Duration.ofMinutes(1));
		assertThat(startedBefore(Duration.ZERO, options, null).remainingMinimumHold()).isBetween(Duration.ofSeconds(50),
				Duration.ofMinutes(1));
		assertThat(startedBefore(Duration.ZERO).remainingMinimumHold()).isZero();
		assertThat(
				startedBefore(Duration.ZERO, options.withHoldAtLeast(Duration.ofNanos(1)), null).remainingMinimumHold())
			.isZero();
	}

	@Test
	void aLossInterruptsTheHolderOnlyInItsSection() {
		LockOptions options = LockOptions.DEFAULTS.withInterruptOnLoss(true);
		HeldLock hold = startedBefore(Duration.ZERO, options, null);
		losesElsewhere(hold);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(hold.markReleased()).isFalse();
		hold.clearInterruptOfLoss();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		HeldLock released = startedBefore(Duration.ZERO, options, null);
		released.markReleased();
		losesElsewhere(released);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void aLossThatTheHolderFindsItselfDoesNotInterruptIt() {
		startedBefore(Duration.ZERO, LockOptions.DEFAULTS.withInterruptOnLoss(true), null).lose();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void anInterruptFromBeforeTheLossOutlivesTheSection() {
		HeldLock hold = startedBefore(Duration.ZERO, LockOptions.DEFAULTS.withInterruptOnLoss(true), null);
		Thread.currentThread().interrupt();
		losesElsewhere(hold);
		assertThat(hold.markReleased()).isFalse();
		hold.clearInterruptOfLoss();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void anInterruptFromElsewhereOutlivesTheSection() {
		HeldLock hold = startedBefore(Duration.ZERO);
		losesElsewhere(hold);
		Thread.currentThread().interrupt();
		assertThat(hold.markReleased()).isFalse();
		hold.clearInterruptOfLoss();
		assertThat(Thread.interrupted()).isTrue();
	}

	private static void losesElsewhere(HeldLock hold) {
		Thread thread = new Thread(hold::lose);
		thread.start();
		// Not joined, which would end with the interrupt.
		while (thread.isAlive()) {
			Thread.onSpinWait();
		}
	}

}

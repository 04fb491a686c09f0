package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.FakeEngine.FakeGrant;
import io.idempotent.lock.engine.LockGrant.Ownership;
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
		return new HeldLock("a", new LocalLockQueue(), this.engine, this.grant, options, limit,
				System.nanoTime() - past.toNanos());
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
		assertThat(hold.release()).isTrue();
		assertThat(hold.isValid()).isFalse();
	}

	@Test
	void whatIsLostIsNeitherSuspectNorResumedNorReleased() {
		HeldLock hold = startedBefore(Duration.ZERO);
		hold.lose();
		assertThat(hold.suspect()).isFalse();
		assertThat(hold.resume()).isFalse();
		assertThat(hold.release()).isFalse();
		assertThat(hold.isLost()).isTrue();
	}

	@Test
	void whatIsReleasedIsNeitherSuspectNorResumedNorLost() {
		HeldLock hold = startedBefore(Duration.ZERO);
		assertThat(hold.release()).isTrue();
		assertThat(hold.suspect()).isFalse();
		assertThat(hold.resume()).isFalse();
		assertThat(hold.lose()).isNull();
		assertThat(hold.isLost()).isFalse();
		assertThat(hold.isValid()).isFalse();
	}

	@Test
	void anEndedLockChangesItsStateNoMore() {
		HeldLock hold = startedBefore(Duration.ZERO);
		assertThat(hold.endByItself()).isTrue();
		assertThat(hold.endByItself()).isFalse();
		assertThat(hold.hasEnded()).isTrue();
		assertThat(hold.suspect()).isFalse();
		assertThat(hold.lose()).isNull();
		assertThat(hold.isValid()).isFalse();
		HeldLock lost = startedBefore(Duration.ZERO);
		lost.lose();
		assertThat(lost.endByItself()).isFalse();
	}

	@Test
	void itIsLookedAtWhenItEndsAndEverySixthOfItsLease() {
		long now = System.nanoTime();
		assertThat(startedBefore(Duration.ZERO).lease().nanosToNextCheck(now)).isEqualTo(LEASE.dividedBy(6).toNanos());
		assertThat(
				startedBefore(Duration.ZERO, LockOptions.DEFAULTS, Duration.ofMillis(50)).lease().nanosToNextCheck(now))
			.isBetween(1L, Duration.ofMillis(60).toNanos());
		HeldLock over = startedBefore(LEASE);
		assertThat(over.lease().nanosToNextCheck(System.nanoTime())).isZero();
	}

	@Test
	void aLeaseThatHasRunOutIsNotValidThoughNobodyNoticed() {
		HeldLock hold = startedBefore(LEASE);
		assertThat(hold.lease().hasEnded(System.nanoTime())).isTrue();
		assertThat(hold.isLost()).isFalse();
		assertThat(hold.isValid()).isFalse();
	}

	@Test
	void aRenewalStartsTheLeaseAgain() {
		HeldLock hold = startedBefore(LEASE.minusSeconds(10));
		assertThat(hold.renew()).isEqualTo(Ownership.HELD);
		assertThat(hold.lease().hasEnded(System.nanoTime() + LEASE.minusSeconds(10).toNanos())).isFalse();
		assertThat(hold.lease().hasEnded(System.nanoTime() + LEASE.plusSeconds(1).toNanos())).isTrue();
	}

	@Test
	void aLateRenewalDoesNotRestoreALease() {
		HeldLock hold = startedBefore(LEASE);
		hold.suspect();
		assertThat(hold.renew()).isEqualTo(Ownership.HELD);
		assertThat(hold.isValid()).isFalse();
		assertThat(hold.resume()).isFalse();
	}

	@Test
	void aRenewalThatIsRefusedLeavesTheLeaseToItsEnd() {
		HeldLock hold = startedBefore(LEASE.minusSeconds(10));
		this.grant.vanish();
		assertThat(hold.renew()).isEqualTo(Ownership.LOST);
		assertThat(hold.lease().hasEnded(System.nanoTime() + Duration.ofSeconds(11).toNanos())).isTrue();
	}

	@Test
	void renewalIsDueAfterAThirdOfTheLease() {
		HeldLock hold = startedBefore(Duration.ZERO);
		long now = System.nanoTime();
		assertThat(hold.needsRenewal(now + Duration.ofSeconds(19).toNanos())).isFalse();
		assertThat(hold.needsRenewal(now + Duration.ofSeconds(21).toNanos())).isTrue();
	}

	@Test
	void noRenewalIsDueThatCouldAddNothing() {
		HeldLock hold = startedBefore(Duration.ofSeconds(30), LockOptions.DEFAULTS, LEASE);
		assertThat(hold.needsRenewal(System.nanoTime())).isFalse();
	}

	@Test
	void theLimitEndsALeaseHoweverOftenItIsRenewed() {
		HeldLock hold = startedBefore(Duration.ofSeconds(30), LockOptions.DEFAULTS, Duration.ofSeconds(70));
		assertThat(hold.needsRenewal(System.nanoTime())).isTrue();
		hold.renew();
		assertThat(hold.lease().hasEnded(System.nanoTime() + Duration.ofSeconds(39).toNanos())).isFalse();
		assertThat(hold.lease().hasEnded(System.nanoTime() + Duration.ofSeconds(41).toNanos())).isTrue();
		assertThat(hold.needsRenewal(System.nanoTime() + Duration.ofSeconds(35).toNanos())).isFalse();
		assertThat(this.grant.renewals).hasSize(1)
			.allSatisfy((asked) -> assertThat(asked).isBetween(Duration.ofSeconds(38), Duration.ofSeconds(40)));
	}

	@Test
	void aConnectionCanShortenALeaseAndNeverLengthenIt() {
		HeldLock hold = startedBefore(Duration.ZERO);
		long now = System.nanoTime();
		hold.leaseEndsBy(now + LEASE.multipliedBy(2).toNanos());
		assertThat(hold.lease().hasEnded(now + LEASE.toNanos())).isTrue();
		hold.leaseEndsBy(now + TimeUnit.SECONDS.toNanos(5));
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
	void aHoldThatHasEndedByItselfIsNotGivenBackAsWell() {
		HeldLock hold = startedBefore(Duration.ZERO);
		assertThat(hold.endByItself()).isTrue();
		assertThat(hold.release()).isFalse();
		assertThat(hold.hasEnded()).isTrue();
	}

	@Test
	void theShortestHoldLeavesARestToKeep() {
		LockOptions options = LockOptions.DEFAULTS.withHoldAtLeast(Duration.ofMinutes(1));
		assertThat(startedBefore(Duration.ZERO, options, null).remainingMinimumHold()).isBetween(Duration.ofSeconds(50),
				Duration.ofMinutes(1));
		assertThat(startedBefore(Duration.ZERO).remainingMinimumHold()).isZero();
		assertThat(
				startedBefore(Duration.ZERO, options.withHoldAtLeast(Duration.ofNanos(1)), null).remainingMinimumHold())
			.isZero();
	}

	@Test
	void aHoldDescribesItselfForTheLog() {
		assertThat(startedBefore(Duration.ZERO)).hasToString("lock 'a' (fake, token 1)");
	}

	@Test
	void aLossInterruptsTheHolderOnlyInItsSection() {
		LockOptions options = LockOptions.DEFAULTS.withInterruptOnLoss(true);
		HeldLock hold = startedBefore(Duration.ZERO, options, null);
		losesElsewhere(hold);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(hold.release()).isFalse();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		HeldLock released = startedBefore(Duration.ZERO, options, null);
		released.release();
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
		assertThat(hold.release()).isFalse();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void anInterruptThatIsNotOursOutlivesTheSection() {
		HeldLock hold = startedBefore(Duration.ZERO);
		losesElsewhere(hold);
		Thread.currentThread().interrupt();
		assertThat(hold.release()).isFalse();
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

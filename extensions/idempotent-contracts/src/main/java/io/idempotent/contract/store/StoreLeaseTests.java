package io.idempotent.contract.store;

import java.time.Duration;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult.Completed;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.ClaimResult.InProgress;
import io.idempotent.store.ClaimResult.Unknown;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import org.junit.jupiter.api.Test;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;

/** Leases that end, are taken over or are renewed. */
abstract class StoreLeaseTests extends StoreTests {

	StoreLeaseTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	@Test
	void aLapsedClaimIsTakenOver() {
		StoreSubmission first = submission().keeping(SOON, RETENTION);
		first.granted();
		passBeyond(SOON);
		assertThat(first.again().claim()).isEqualTo(new Granted(2, true));
	}

	@Test
	void aLapsedClaimThatIsLeftIsUnknown() {
		StoreSubmission first = submission().keeping(SOON, RETENTION);
		first.granted();
		passBeyond(SOON);
		assertThat(first.again().leavingLapsed().claim()).isEqualTo(new Unknown());
		assertThat(first.again().leavingLapsed().claim()).isEqualTo(new Unknown());
	}

	@Test
	void anOwnerLosesItsClaimToATakeover() {
		StoreSubmission first = submission();
		ClaimId lapsed = first.granted();
		first.release(lapsed, Release.UNKNOWN);
		StoreSubmission second = first.again();
		ClaimId claim = second.granted();
		assertThat(store().renew(lapsed, LEASE)).isEqualTo(Ownership.LOST);
		assertThat(first.complete(lapsed, ANSWER)).isEqualTo(Ownership.LOST);
		assertThat(first.release(lapsed, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		assertThat(first.release(lapsed, Release.UNKNOWN)).isEqualTo(Ownership.LOST);
		assertThat(first.claim()).isInstanceOf(InProgress.class);
		assertThat(second.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
	}

	@Test
	void aLapsedClaimMayStillBeEndedByItsOwner() {
		StoreSubmission completed = submission().keeping(SOON, RETENTION);
		StoreSubmission renewed = submission().keeping(SOON, RETENTION);
		StoreSubmission released = submission().keeping(SOON, RETENTION);
		ClaimId first = completed.granted();
		ClaimId second = renewed.granted();
		ClaimId third = released.granted();
		passBeyond(SOON);
		assertThat(completed.complete(first, ANSWER)).isEqualTo(Ownership.HELD);
		assertThat(store().renew(second, LEASE)).isEqualTo(Ownership.HELD);
		assertThat(released.release(third, Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		assertThat(completed.again().claim()).isInstanceOf(Completed.class);
		assertThat(renewed.again().claim()).isInstanceOf(InProgress.class);
		assertThat(released.again().claim()).isEqualTo(new Granted(1, false));
	}

	@Test
	void attemptsGrowWithEveryTakeover() {
		StoreSubmission submission = submission();
		for (int attempt = 1; attempt <= 300; attempt++) {
			assertThat(submission.claim()).isEqualTo(new Granted(attempt, attempt > 1));
			submission.release(submission.claimId(attempt), Release.UNKNOWN);
			submission = submission.again();
		}
	}

	@Test
	void aRenewedLeaseStartsAgain() {
		StoreSubmission first = submission().keeping(SOON, RETENTION);
		ClaimId claim = first.granted();
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		passBeyond(SOON);
		assertThat(first.again().claim()).isInstanceOfSatisfying(InProgress.class,
				(met) -> assertThat(met.leaseLeft()).isGreaterThan(SOON));
	}

	@Test
	void aClaimThatIsRenewedOutlivesItsRetention() {
		Duration retention = SOON.multipliedBy(5);
		StoreSubmission first = submission().keeping(SOON, retention);
		ClaimId claim = first.granted();
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		passBeyond(retention);
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
	}

	@Test
	void onlyTheOwnerRenews() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		assertThat(store().renew(first.again().claimId(1), LEASE)).isEqualTo(Ownership.LOST);
		assertThat(store().renew(first.claimId(2), LEASE)).isEqualTo(Ownership.LOST);
		assertThat(store().renew(submission().claimId(1), LEASE)).isEqualTo(Ownership.LOST);
		first.complete(claim, ANSWER);
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.LOST);
	}

	@Test
	void aLateRenewalDoesNotReviveAClaimThatWasGivenUp() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		first.release(claim, Release.UNKNOWN);
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.LOST);
		assertThat(first.again().leavingLapsed().claim()).isEqualTo(new Unknown());
	}

}

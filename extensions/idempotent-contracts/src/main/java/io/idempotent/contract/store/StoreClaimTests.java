package io.idempotent.contract.store;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.ClaimResult.InProgress;
import io.idempotent.store.ClaimResult.KeyReused;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import org.junit.jupiter.api.Test;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;

/** Claims, and the results of those that are not granted. */
abstract class StoreClaimTests extends StoreTests {

	StoreClaimTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	@Test
	void aNewKeyIsGranted() {
		assertThat(submission().claim()).isEqualTo(new Granted(1, false));
	}

	@Test
	void aClaimedKeyIsNotGrantedToAnotherOwner() {
		StoreSubmission first = submission();
		first.granted();
		assertThat(first.again().claim()).isInstanceOfSatisfying(InProgress.class,
				(met) -> assertThat(met.leaseLeft()).isPositive().isLessThanOrEqualTo(LEASE));
	}

	@Test
	void aRepeatedClaimIsTheSameClaim() {
		StoreSubmission first = submission();
		first.granted();
		assertThat(first.claim()).isEqualTo(new Granted(1, false));
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
	}

	@Test
	void aRepeatedClaimStillReportsItsTakeover() {
		StoreSubmission first = submission();
		first.release(first.granted(), Release.UNKNOWN);
		StoreSubmission second = first.again();
		assertThat(second.claim()).isEqualTo(new Granted(2, true));
		assertThat(second.claim()).isEqualTo(new Granted(2, true));
	}

	@Test
	void aRepeatedClaimRestartsItsLease() {
		StoreSubmission first = submission().keeping(SOON, RETENTION);
		first.granted();
		passBeyond(SOON);
		assertThat(first.claim()).isEqualTo(new Granted(1, false));
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
	}

	@Test
	void otherContentIsReportedInEveryState() {
		StoreSubmission running = submission();
		ClaimId claim = running.granted();
		assertThat(running.again().asking("else").claim()).isEqualTo(new KeyReused(running.request().fingerprint()));
		running.release(claim, Release.UNKNOWN);
		assertThat(running.again().asking("else").claim()).isEqualTo(new KeyReused(running.request().fingerprint()));
		assertThat(running.again().asking("else").leavingLapsed().claim())
			.isEqualTo(new KeyReused(running.request().fingerprint()));
		StoreSubmission burnt = submission().burning();
		burnt.granted();
		assertThat(burnt.again().asking("else").claim()).isEqualTo(new KeyReused(burnt.request().fingerprint()));
	}

	@Test
	void otherContentNeverMeetsACompletedOutcome() {
		StoreSubmission answered = submission();
		answered.complete(answered.granted(), ANSWER);
		assertThat(answered.again().asking("else").claim()).isEqualTo(new KeyReused(answered.request().fingerprint()));
		StoreSubmission entombed = submission();
		entombed.complete(entombed.granted(), Outcome.TOMBSTONE);
		assertThat(entombed.again().asking("else").claim()).isEqualTo(new KeyReused(entombed.request().fingerprint()));
	}

	@Test
	void anOwnerWithOtherContentIsNotGranted() {
		StoreSubmission first = submission();
		first.granted();
		assertThat(first.asking("else").claim()).isEqualTo(new KeyReused(first.request().fingerprint()));
	}

}

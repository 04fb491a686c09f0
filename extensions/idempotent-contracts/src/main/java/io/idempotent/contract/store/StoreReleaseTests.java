package io.idempotent.contract.store;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult.Completed;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.ClaimResult.InProgress;
import io.idempotent.store.ClaimResult.Unknown;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Claims that end without an outcome. */
abstract class StoreReleaseTests extends StoreTests {

	StoreReleaseTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	@Test
	void aReleasedKeyIsAsNew() {
		StoreSubmission first = submission();
		assertThat(first.release(first.granted(), Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		assertThat(first.again().asking("else").claim()).isEqualTo(new Granted(1, false));
	}

	@Test
	void aClaimGivenUpAsUnknownIsUnknownAtOnce() {
		StoreSubmission first = submission();
		assertThat(first.release(first.granted(), Release.UNKNOWN)).isEqualTo(Ownership.HELD);
		assertThat(first.again().leavingLapsed().claim()).isEqualTo(new Unknown());
		assertThat(first.leavingLapsed().claim()).isEqualTo(new Unknown());
		assertThat(first.again().claim()).isEqualTo(new Granted(2, true));
	}

	@Test
	void onlyTheOwnerReleases() {
		StoreSubmission first = submission();
		first.granted();
		for (Release release : Release.values()) {
			assertThat(first.release(first.again().claimId(1), release)).isEqualTo(Ownership.LOST);
			assertThat(first.release(first.claimId(2), release)).isEqualTo(Ownership.LOST);
		}
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
	}

	@Test
	void aRepeatedReleaseIsLostAndChangesNothing() {
		StoreSubmission released = submission();
		ClaimId claim = released.granted();
		released.release(claim, Release.NO_EFFECT);
		assertThat(released.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		StoreSubmission unknown = submission();
		ClaimId other = unknown.granted();
		unknown.release(other, Release.UNKNOWN);
		assertThat(unknown.release(other, Release.UNKNOWN)).isEqualTo(Ownership.LOST);
		assertThat(unknown.release(other, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		assertThat(unknown.again().leavingLapsed().claim()).isEqualTo(new Unknown());
	}

	@Test
	void whatIsDoneCannotBeReleased() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		first.complete(claim, ANSWER);
		assertThat(first.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		assertThat(first.release(claim, Release.UNKNOWN)).isEqualTo(Ownership.LOST);
		assertThat(first.again().claim()).isInstanceOf(Completed.class);
	}

}

package io.idempotent.contract.store;

import java.util.List;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult.Completed;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.ClaimResult.InProgress;
import io.idempotent.store.ClaimResult.NotIssued;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import org.junit.jupiter.api.Test;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;

/** Keys that are issued before they are claimed, and keys that a claim burns. */
abstract class StoreTokenTests extends StoreTests {

	StoreTokenTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	@Test
	void aKeyThatMustBeIssuedIsNotGrantedBefore() {
		StoreSubmission first = submission().ifIssued();
		assertThat(first.claim()).isEqualTo(new NotIssued());
		assertThat(first.issued(RETENTION).claim()).isEqualTo(new Granted(1, false));
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
	}

	@Test
	void anIssuedKeyIsAlsoGrantedToAnOpenClaim() {
		assertThat(submission().issued(RETENTION).claim()).isEqualTo(new Granted(1, false));
	}

	@Test
	void aTokenExpires() {
		StoreSubmission first = submission().ifIssued().issued(SOON);
		passBeyond(SOON);
		assertThat(first.claim()).isEqualTo(new NotIssued());
	}

	@Test
	void issuingAKeyThatHasARecordChangesNothing() {
		StoreSubmission twice = submission().ifIssued().issued(SOON).issued(RETENTION);
		StoreSubmission running = submission();
		running.granted();
		running.issued(RETENTION);
		assertThat(running.again().claim()).isInstanceOf(InProgress.class);
		StoreSubmission done = submission();
		done.complete(done.granted(), ANSWER);
		done.issued(RETENTION);
		assertThat(done.again().claim()).isInstanceOf(Completed.class);
		passBeyond(SOON);
		assertThat(twice.claim()).isEqualTo(new NotIssued());
	}

	@Test
	void aReleasedTokenIsIssuedAgainAndKeepsItsAttempts() {
		StoreSubmission submission = submission().ifIssued().issued(RETENTION);
		for (int attempt = 1; attempt <= 3; attempt++) {
			assertThat(submission.claim()).isEqualTo(new Granted(attempt, false));
			assertThat(submission.release(submission.claimId(attempt), Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
			submission = submission.again().asking("corrected " + attempt);
		}
	}

	@Test
	void aReleasedTokenExpiresWhenItWouldHaveExpired() {
		StoreSubmission first = submission().ifIssued().issued(SOON);
		first.release(first.granted(), Release.NO_EFFECT);
		passBeyond(SOON);
		assertThat(first.again().claim()).isEqualTo(new NotIssued());
	}

	@Test
	void aTokenThatExpiredWhileItWasClaimedIsGoneWhenReleased() {
		StoreSubmission first = submission().ifIssued().issued(SOON);
		ClaimId claim = first.granted();
		passBeyond(SOON);
		assertThat(first.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isEqualTo(new NotIssued());
	}

	@Test
	void onlyAnIssueExtendsTheLifeOfAToken() {
		StoreSubmission renewed = submission().ifIssued().issued(SOON);
		StoreSubmission readBack = submission().ifIssued().issued(SOON);
		StoreSubmission lost = submission().ifIssued().issued(SOON);
		ClaimId claim = renewed.granted();
		readBack.granted();
		lost.release(lost.granted(), Release.UNKNOWN);
		passBeyond(SOON);
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		for (StoreSubmission submission : List.of(renewed, readBack, lost.again())) {
			assertThat(submission.release(submission.granted(), Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
			assertThat(submission.again().claim()).isEqualTo(new NotIssued());
		}
	}

	@Test
	void aTokenSurvivesTakeoverAndReadBack() {
		StoreSubmission first = submission().ifIssued().issued(RETENTION);
		first.release(first.granted(), Release.UNKNOWN);
		StoreSubmission second = first.again();
		second.granted();
		ClaimId claim = second.granted();
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		assertThat(second.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		assertThat(second.again().claim()).isEqualTo(new Granted(3, false));
	}

	@Test
	void aClaimOutlivesItsToken() {
		StoreSubmission first = submission().ifIssued().issued(SOON);
		ClaimId claim = first.granted();
		passBeyond(SOON);
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
		assertThat(first.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
	}

	@Test
	void aBurntKeyIsATombstoneFromTheClaimOn() {
		StoreSubmission first = submission().ifIssued().burning().keeping(SOON, RETENTION).issued(RETENTION);
		assertThat(first.claim()).isEqualTo(new Granted(1, false));
		assertThat(first.claim()).isEqualTo(new Granted(1, false));
		assertBurnt(first);
		passBeyond(SOON);
		assertBurnt(first);
	}

	private static void assertBurnt(StoreSubmission first) {
		assertThat(first.again().claim()).isInstanceOf(Completed.class);
		assertThat(first.again().caching().claim()).isInstanceOfSatisfying(Completed.class, (met) -> {
			assertThat(met.outcome()).isEqualTo(Outcome.TOMBSTONE);
			assertThat(met.attempt()).isEqualTo(1);
			assertThat(met.retentionLeft()).isPositive().isLessThanOrEqualTo(RETENTION);
		});
	}

	@Test
	void aBurntKeyIsReleasedByItsOwnerOnly() {
		StoreSubmission first = submission().ifIssued().burning().issued(RETENTION);
		ClaimId claim = first.granted();
		assertThat(first.release(first.again().claimId(1), Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		assertBurnt(first);
		assertThat(first.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isEqualTo(new Granted(2, false));
	}

	@Test
	void aBurntKeyHasNoLeaseAndNoUnknownOutcome() {
		StoreSubmission first = submission().burning();
		ClaimId claim = first.granted();
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		assertBurnt(first);
		assertThat(first.release(claim, Release.UNKNOWN)).isEqualTo(Ownership.HELD);
		assertBurnt(first);
	}

	@Test
	void aBurntKeyMayStillBeGivenItsAnswer() {
		StoreSubmission first = submission().burning();
		ClaimId claim = first.granted();
		assertThat(first.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isInstanceOfSatisfying(Completed.class,
				(met) -> assertThat(met.outcome()).isEqualTo(ANSWER));
		assertThat(first.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
	}

}

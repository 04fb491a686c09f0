package io.idempotent.contract.store;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult.Completed;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.ClaimResult.InProgress;
import io.idempotent.store.ClaimResult.KeyReused;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.support.Digest;
import org.junit.jupiter.api.Test;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;

/** Outcomes: how they are recorded, found and forgotten. */
abstract class StoreCompletionTests extends StoreTests {

	StoreCompletionTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	@Test
	void aDuplicateGetsTheOutcomeOfTheFirst() {
		StoreSubmission first = submission();
		assertThat(first.complete(first.granted(), ANSWER)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isInstanceOfSatisfying(Completed.class, (met) -> {
			assertThat(met.outcome()).isEqualTo(ANSWER);
			assertThat(met.attempt()).isEqualTo(1);
			assertThat(met.retentionLeft()).isLessThanOrEqualTo(RETENTION);
		});
		assertThat(first.again().caching().claim()).isInstanceOfSatisfying(Completed.class,
				(met) -> assertThat(met.retentionLeft()).isPositive().isLessThanOrEqualTo(RETENTION));
		assertThat(first.again().ifIssued().burning().claim()).isInstanceOf(Completed.class);
		assertThat(first.claim()).isInstanceOf(Completed.class);
	}

	@Test
	void aDuplicateGetsTheTombstone() {
		StoreSubmission first = submission();
		assertThat(first.complete(first.granted(), Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isInstanceOfSatisfying(Completed.class,
				(met) -> assertThat(met.outcome()).isEqualTo(Outcome.TOMBSTONE));
	}

	@Test
	void anAnswerOfAnySizeComesBackByteForByte() {
		for (int size : new int[] { 0, 1, 2, 43, 44, 45, 127, 128, 129, 255, 256, 65_535, 65_536, 1 << 20 }) {
			byte[] answer = new byte[size];
			new Random(size).nextBytes(answer);
			StoreSubmission first = submission();
			first.complete(first.granted(), Outcome.stored(answer.clone()));
			assertThat(first.again().claim()).isInstanceOfSatisfying(Completed.class,
					(met) -> assertThat(met.outcome()).as("an answer of %d bytes", size)
						.isEqualTo(Outcome.stored(answer)));
		}
	}

	@Test
	void everyByteSurvivesInKeysOwnersAndFingerprints() {
		for (int b = 0; b < 256; b++) {
			byte[] bytes = new byte[Digest.LENGTH];
			Arrays.fill(bytes, (byte) b);
			long half = b * 0x0101010101010101L;
			OperationKey key = submission().key().derive("byte " + b);
			ClaimRequest request = new ClaimRequest(key, new Owner(half, half), new Fingerprint(Digest.of(bytes)),
					LEASE, RETENTION, ClaimRequest.Admission.OPEN, ClaimRequest.Lapsed.LEAVE, ClaimRequest.Term.LEASED,
					false);
			StoreSubmission submission = new StoreSubmission(store(), request);
			ClaimId claim = submission.granted();
			assertThat(submission.claim()).isEqualTo(new Granted(1, false));
			assertThat(submission.complete(claim, Outcome.stored(bytes))).isEqualTo(Ownership.HELD);
			assertThat(submission.again().claim()).isInstanceOf(Completed.class);
		}
	}

	@Test
	void theFirstCompletionWinsAndItsRepeatIsAccepted() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		first.complete(claim, ANSWER);
		assertThat(first.complete(claim, Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
		assertThat(first.complete(first.claimId(2), Outcome.TOMBSTONE)).isEqualTo(Ownership.LOST);
		assertThat(first.complete(first.again().claimId(1), Outcome.TOMBSTONE)).isEqualTo(Ownership.LOST);
		assertThat(first.again().claim()).isInstanceOfSatisfying(Completed.class,
				(met) -> assertThat(met.outcome()).isEqualTo(ANSWER));
	}

	@Test
	void onlyTheOwnerCompletes() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		assertThat(first.complete(first.again().claimId(1), ANSWER)).isEqualTo(Ownership.LOST);
		assertThat(first.complete(first.claimId(2), ANSWER)).isEqualTo(Ownership.LOST);
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
		assertThat(first.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
	}

	@Test
	void aCompletionIsRecordedEvenIfTheStoreLostTheClaim() {
		StoreSubmission first = submission();
		first.release(first.granted(), Release.UNKNOWN);
		StoreSubmission second = first.again().keeping(SOON.minusMillis(1), SOON);
		ClaimId claim = second.granted();
		passBeyond(SOON);
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.LOST);
		assertThat(second.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		assertThat(second.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
		assertThat(second.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
		assertThat(second.again().claim()).isInstanceOfSatisfying(Completed.class, (met) -> {
			assertThat(met.outcome()).isEqualTo(ANSWER);
			assertThat(met.attempt()).isEqualTo(2);
		});
		assertThat(second.again().asking("else").claim()).isEqualTo(new KeyReused(second.request().fingerprint()));
	}

	@Test
	void aLostClaimThatAnotherOwnerHasIsLost() {
		StoreSubmission first = submission().keeping(SOON.minusMillis(1), SOON);
		ClaimId claim = first.granted();
		passBeyond(SOON);
		first.again().granted();
		assertThat(first.complete(claim, ANSWER)).isEqualTo(Ownership.LOST);
	}

	@Test
	void anOutcomeIsForgottenAfterItsRetention() {
		StoreSubmission first = submission();
		store().complete(first.granted(), ANSWER, SOON);
		assertThat(first.again().claim()).isInstanceOf(Completed.class);
		passBeyond(SOON);
		assertThat(first.again().claim()).isEqualTo(new Granted(1, false));
	}

	@Test
	void aClaimIsForgottenAfterItsRetention() {
		StoreSubmission first = submission().keeping(SOON.minusMillis(1), SOON);
		ClaimId claim = first.granted();
		first.release(claim, Release.UNKNOWN);
		passBeyond(SOON);
		assertThat(first.again().leavingLapsed().claim()).isEqualTo(new Granted(1, false));
	}

	@Test
	void anAbandonedClaimMayStillBeCompleted() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		first.release(claim, Release.UNKNOWN);
		assertThat(first.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isInstanceOf(Completed.class);
	}

	@Test
	void durationsOfAnyLengthAreAccepted() {
		StoreSubmission shortest = submission().keeping(Duration.ofNanos(1), RETENTION);
		shortest.granted();
		pass(MOMENT);
		assertThat(shortest.again().claim()).isEqualTo(new Granted(2, true));
		Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
		StoreSubmission longest = submission().keeping(forever.minusSeconds(1), forever).ifIssued().issued(forever);
		ClaimId claim = longest.granted();
		assertThat(longest.again().claim()).isInstanceOf(InProgress.class);
		assertThat(store().renew(claim, forever)).isEqualTo(Ownership.HELD);
		assertThat(store().complete(claim, ANSWER, forever)).isEqualTo(Ownership.HELD);
		assertThat(longest.again().caching().claim()).isInstanceOfSatisfying(Completed.class,
				(met) -> assertThat(met.retentionLeft()).isGreaterThan(Duration.ofDays(36_000)));
	}

}

package io.idempotent.engine;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult.Completed;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.ClaimResult.InProgress;
import io.idempotent.store.ClaimResult.KeyReused;
import io.idempotent.store.ClaimResult.NotIssued;
import io.idempotent.store.ClaimResult.Unknown;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.Ownership;
import io.idempotent.store.Release;
import io.idempotent.store.WakeUps;
import io.idempotent.support.Digest;
import org.junit.jupiter.api.Test;

import static io.idempotent.engine.IdempotencyStoreSubmission.LEASE;
import static io.idempotent.engine.IdempotencyStoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What every store does. A subclass says which store, and how its clock moves.
 */
public abstract class IdempotencyStoreContract {

	/** Short enough to let it pass, long enough for a few calls on a busy machine. */
	protected static final Duration SOON = Duration.ofMillis(400);

	private static final Duration MOMENT = Duration.ofMillis(20);

	private static final Outcome ANSWER = Outcome.stored(new byte[] { 0, 1, (byte) 0x80, (byte) 0xff, '\r', '\n', 0 });

	protected abstract IdempotencyStore store();

	/**
	 * Lets time go by on the store's clock.
	 */
	protected abstract void pass(Duration time);

	private IdempotencyStoreSubmission submission() {
		return IdempotencyStoreSubmission.to(store());
	}

	private void passBeyond(Duration time) {
		pass(time.plus(MOMENT));
	}

	// Claims

	@Test
	void aNewKeyIsGrantedOnTheSpot() {
		assertThat(submission().claim()).isEqualTo(new Granted(1, false));
	}

	@Test
	void asLongAsTheOwnerIsAtItNobodyElseIsGranted() {
		IdempotencyStoreSubmission first = submission();
		first.granted();
		assertThat(first.again().claim()).isInstanceOfSatisfying(InProgress.class,
				(met) -> assertThat(met.leaseLeft()).isPositive().isLessThanOrEqualTo(LEASE));
	}

	@Test
	void anOwnerWhoseReplyWasLostIsGrantedTheSameClaimAgain() {
		IdempotencyStoreSubmission first = submission();
		first.granted();
		assertThat(first.claim()).isEqualTo(new Granted(1, false));
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
	}

	@Test
	void aClaimThatIsReadBackStillSaysThatItTookOver() {
		IdempotencyStoreSubmission first = submission();
		first.release(first.granted(), Release.UNKNOWN);
		IdempotencyStoreSubmission second = first.again();
		assertThat(second.claim()).isEqualTo(new Granted(2, true));
		assertThat(second.claim()).isEqualTo(new Granted(2, true));
	}

	@Test
	void aClaimThatIsReadBackStartsItsLeaseAgain() {
		IdempotencyStoreSubmission first = submission().keeping(SOON, RETENTION);
		first.granted();
		passBeyond(SOON);
		assertThat(first.claim()).isEqualTo(new Granted(1, false));
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
	}

	@Test
	void anotherContentIsToldInEveryState() {
		IdempotencyStoreSubmission running = submission();
		ClaimId claim = running.granted();
		assertThat(running.again().asking("else").claim()).isEqualTo(new KeyReused());
		running.release(claim, Release.UNKNOWN);
		assertThat(running.again().asking("else").claim()).isEqualTo(new KeyReused());
		assertThat(running.again().asking("else").leavingLapsed().claim()).isEqualTo(new KeyReused());
		IdempotencyStoreSubmission burnt = submission().burning();
		burnt.granted();
		assertThat(burnt.again().asking("else").claim()).isEqualTo(new KeyReused());
	}

	@Test
	void anotherContentIsNeverAnsweredWithACompletedOutcome() {
		IdempotencyStoreSubmission answered = submission();
		answered.complete(answered.granted(), ANSWER);
		assertThat(answered.again().asking("else").claim()).isEqualTo(new KeyReused());
		IdempotencyStoreSubmission entombed = submission();
		entombed.complete(entombed.granted(), Outcome.TOMBSTONE);
		assertThat(entombed.again().asking("else").claim()).isEqualTo(new KeyReused());
	}

	@Test
	void anOwnerThatAsksForAnotherContentIsNotGrantedEither() {
		IdempotencyStoreSubmission first = submission();
		first.granted();
		assertThat(first.asking("else").claim()).isEqualTo(new KeyReused());
	}

	// Lapse

	@Test
	void aLapsedClaimIsTakenOverAndSaysSo() {
		IdempotencyStoreSubmission first = submission().keeping(SOON, RETENTION);
		first.granted();
		passBeyond(SOON);
		assertThat(first.again().claim()).isEqualTo(new Granted(2, true));
	}

	@Test
	void aLapsedClaimIsUnknownToThoseWhoLeaveIt() {
		IdempotencyStoreSubmission first = submission().keeping(SOON, RETENTION);
		first.granted();
		passBeyond(SOON);
		assertThat(first.again().leavingLapsed().claim()).isEqualTo(new Unknown());
		assertThat(first.again().leavingLapsed().claim()).isEqualTo(new Unknown());
	}

	@Test
	void anOwnerThatWasTakenOverHasLost() {
		IdempotencyStoreSubmission first = submission();
		ClaimId lapsed = first.granted();
		first.release(lapsed, Release.UNKNOWN);
		IdempotencyStoreSubmission second = first.again();
		ClaimId claim = second.granted();
		assertThat(store().renew(lapsed, LEASE)).isEqualTo(Ownership.LOST);
		assertThat(first.complete(lapsed, ANSWER)).isEqualTo(Ownership.LOST);
		assertThat(first.release(lapsed, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		assertThat(first.release(lapsed, Release.UNKNOWN)).isEqualTo(Ownership.LOST);
		assertThat(first.claim()).isInstanceOf(InProgress.class);
		assertThat(second.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
	}

	@Test
	void aLapsedClaimThatNobodyTookOverCanStillBeCompletedRenewedOrReleased() {
		IdempotencyStoreSubmission completed = submission().keeping(SOON, RETENTION);
		IdempotencyStoreSubmission renewed = submission().keeping(SOON, RETENTION);
		IdempotencyStoreSubmission released = submission().keeping(SOON, RETENTION);
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
		IdempotencyStoreSubmission submission = submission();
		for (int attempt = 1; attempt <= 300; attempt++) {
			assertThat(submission.claim()).isEqualTo(new Granted(attempt, attempt > 1));
			submission.release(submission.claimId(attempt), Release.UNKNOWN);
			submission = submission.again();
		}
	}

	// Renewal

	@Test
	void aRenewedLeaseStartsAgain() {
		IdempotencyStoreSubmission first = submission().keeping(SOON, RETENTION);
		ClaimId claim = first.granted();
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		passBeyond(SOON);
		assertThat(first.again().claim()).isInstanceOfSatisfying(InProgress.class,
				(met) -> assertThat(met.leaseLeft()).isGreaterThan(SOON));
	}

	@Test
	void aClaimThatIsRenewedOutlivesItsRetention() {
		IdempotencyStoreSubmission first = submission().keeping(SOON, SOON);
		ClaimId claim = first.granted();
		store().renew(claim, LEASE);
		passBeyond(SOON);
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
	}

	@Test
	void whoDoesNotHoldTheClaimRenewsNothing() {
		IdempotencyStoreSubmission first = submission();
		ClaimId claim = first.granted();
		assertThat(store().renew(first.again().claimId(1), LEASE)).isEqualTo(Ownership.LOST);
		assertThat(store().renew(first.claimId(2), LEASE)).isEqualTo(Ownership.LOST);
		assertThat(store().renew(submission().claimId(1), LEASE)).isEqualTo(Ownership.LOST);
		first.complete(claim, ANSWER);
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.LOST);
	}

	@Test
	void aLateRenewalDoesNotReviveAClaimThatWasGivenUp() {
		IdempotencyStoreSubmission first = submission();
		ClaimId claim = first.granted();
		first.release(claim, Release.UNKNOWN);
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.LOST);
		assertThat(first.again().leavingLapsed().claim()).isEqualTo(new Unknown());
	}

	// Completion

	@Test
	void aRepeatMeetsTheOutcomeOfTheFirst() {
		IdempotencyStoreSubmission first = submission();
		assertThat(first.complete(first.granted(), ANSWER)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isInstanceOfSatisfying(Completed.class, (met) -> {
			assertThat(met.outcome()).isEqualTo(ANSWER);
			assertThat(met.attempt()).isEqualTo(1);
			assertThat(met.retentionLeft()).isPositive().isLessThanOrEqualTo(RETENTION);
		});
		assertThat(first.again().ifIssued().burning().claim()).isInstanceOf(Completed.class);
		assertThat(first.claim()).isInstanceOf(Completed.class);
	}

	@Test
	void aTombstoneIsMetAsOne() {
		IdempotencyStoreSubmission first = submission();
		assertThat(first.complete(first.granted(), Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isInstanceOfSatisfying(Completed.class,
				(met) -> assertThat(met.outcome()).isEqualTo(Outcome.TOMBSTONE));
	}

	@Test
	void anAnswerOfAnySizeComesBackByteForByte() {
		for (int size : new int[] { 0, 1, 2, 43, 44, 45, 127, 128, 129, 255, 256, 65_535, 65_536, 1 << 20 }) {
			byte[] answer = new byte[size];
			new Random(size).nextBytes(answer);
			IdempotencyStoreSubmission first = submission();
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
			IdempotencyStoreSubmission submission = new IdempotencyStoreSubmission(store(), request);
			ClaimId claim = submission.granted();
			assertThat(submission.claim()).isEqualTo(new Granted(1, false));
			assertThat(submission.complete(claim, Outcome.stored(bytes))).isEqualTo(Ownership.HELD);
			assertThat(submission.again().claim()).isInstanceOf(Completed.class);
		}
	}

	@Test
	void theFirstCompletionStandsAndItsRepeatIsHeld() {
		IdempotencyStoreSubmission first = submission();
		ClaimId claim = first.granted();
		first.complete(claim, ANSWER);
		assertThat(first.complete(claim, Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
		assertThat(first.complete(first.claimId(2), Outcome.TOMBSTONE)).isEqualTo(Ownership.LOST);
		assertThat(first.complete(first.again().claimId(1), Outcome.TOMBSTONE)).isEqualTo(Ownership.LOST);
		assertThat(first.again().claim()).isInstanceOfSatisfying(Completed.class,
				(met) -> assertThat(met.outcome()).isEqualTo(ANSWER));
	}

	@Test
	void whoDoesNotHoldTheClaimCompletesNothing() {
		IdempotencyStoreSubmission first = submission();
		ClaimId claim = first.granted();
		assertThat(first.complete(first.again().claimId(1), ANSWER)).isEqualTo(Ownership.LOST);
		assertThat(first.complete(first.claimId(2), ANSWER)).isEqualTo(Ownership.LOST);
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
		assertThat(first.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
	}

	@Test
	void anEffectIsRecordedThoughTheStoreLostTheClaim() {
		IdempotencyStoreSubmission first = submission();
		first.release(first.granted(), Release.UNKNOWN);
		IdempotencyStoreSubmission second = first.again().keeping(SOON, SOON);
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
		assertThat(second.again().asking("else").claim()).isEqualTo(new KeyReused());
	}

	@Test
	void whatTheStoreLostAndSomebodyElseClaimedIsLost() {
		IdempotencyStoreSubmission first = submission().keeping(SOON, SOON);
		ClaimId claim = first.granted();
		passBeyond(SOON);
		first.again().granted();
		assertThat(first.complete(claim, ANSWER)).isEqualTo(Ownership.LOST);
	}

	@Test
	void anOutcomeIsForgottenAfterItsRetention() {
		IdempotencyStoreSubmission first = submission();
		store().complete(first.granted(), ANSWER, SOON);
		assertThat(first.again().claim()).isInstanceOf(Completed.class);
		passBeyond(SOON);
		assertThat(first.again().claim()).isEqualTo(new Granted(1, false));
	}

	@Test
	void aClaimIsForgottenAfterItsRetention() {
		IdempotencyStoreSubmission first = submission().keeping(SOON, SOON);
		ClaimId claim = first.granted();
		first.release(claim, Release.UNKNOWN);
		passBeyond(SOON);
		assertThat(first.again().leavingLapsed().claim()).isEqualTo(new Granted(1, false));
	}

	@Test
	void aGivenUpClaimThatTurnsOutToBeDoneIsCompleted() {
		IdempotencyStoreSubmission first = submission();
		ClaimId claim = first.granted();
		first.release(claim, Release.UNKNOWN);
		assertThat(first.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isInstanceOf(Completed.class);
	}

	// Release

	@Test
	void aReleasedKeyIsAsNew() {
		IdempotencyStoreSubmission first = submission();
		assertThat(first.release(first.granted(), Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		assertThat(first.again().asking("else").claim()).isEqualTo(new Granted(1, false));
	}

	@Test
	void aClaimGivenUpAsUnknownIsUnknownAtOnce() {
		IdempotencyStoreSubmission first = submission();
		assertThat(first.release(first.granted(), Release.UNKNOWN)).isEqualTo(Ownership.HELD);
		assertThat(first.again().leavingLapsed().claim()).isEqualTo(new Unknown());
		assertThat(first.leavingLapsed().claim()).isEqualTo(new Unknown());
		assertThat(first.again().claim()).isEqualTo(new Granted(2, true));
	}

	@Test
	void whoDoesNotHoldTheClaimReleasesNothing() {
		IdempotencyStoreSubmission first = submission();
		first.granted();
		for (Release release : Release.values()) {
			assertThat(first.release(first.again().claimId(1), release)).isEqualTo(Ownership.LOST);
			assertThat(first.release(first.claimId(2), release)).isEqualTo(Ownership.LOST);
		}
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
	}

	@Test
	void aRepeatedReleaseIsLostAndChangesNothing() {
		IdempotencyStoreSubmission released = submission();
		ClaimId claim = released.granted();
		released.release(claim, Release.NO_EFFECT);
		assertThat(released.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		IdempotencyStoreSubmission unknown = submission();
		ClaimId other = unknown.granted();
		unknown.release(other, Release.UNKNOWN);
		assertThat(unknown.release(other, Release.UNKNOWN)).isEqualTo(Ownership.LOST);
		assertThat(unknown.release(other, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		assertThat(unknown.again().leavingLapsed().claim()).isEqualTo(new Unknown());
	}

	@Test
	void whatIsDoneCannotBeReleased() {
		IdempotencyStoreSubmission first = submission();
		ClaimId claim = first.granted();
		first.complete(claim, ANSWER);
		assertThat(first.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		assertThat(first.release(claim, Release.UNKNOWN)).isEqualTo(Ownership.LOST);
		assertThat(first.again().claim()).isInstanceOf(Completed.class);
	}

	// Tokens

	@Test
	void onlyAnIssuedKeyIsGrantedToThoseWhoInsist() {
		IdempotencyStoreSubmission first = submission().ifIssued();
		assertThat(first.claim()).isEqualTo(new NotIssued());
		assertThat(first.issued(RETENTION).claim()).isEqualTo(new Granted(1, false));
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
	}

	@Test
	void anIssuedKeyMayBeClaimedByThoseWhoDoNotInsist() {
		assertThat(submission().issued(RETENTION).claim()).isEqualTo(new Granted(1, false));
	}

	@Test
	void aTokenExpires() {
		IdempotencyStoreSubmission first = submission().ifIssued().issued(SOON);
		passBeyond(SOON);
		assertThat(first.claim()).isEqualTo(new NotIssued());
	}

	@Test
	void issuingAKeyThatHasARecordChangesNothing() {
		IdempotencyStoreSubmission twice = submission().ifIssued().issued(SOON).issued(RETENTION);
		IdempotencyStoreSubmission running = submission();
		running.granted();
		running.issued(RETENTION);
		assertThat(running.again().claim()).isInstanceOf(InProgress.class);
		IdempotencyStoreSubmission done = submission();
		done.complete(done.granted(), ANSWER);
		done.issued(RETENTION);
		assertThat(done.again().claim()).isInstanceOf(Completed.class);
		passBeyond(SOON);
		assertThat(twice.claim()).isEqualTo(new NotIssued());
	}

	@Test
	void aReleasedTokenIsIssuedAgainAndItsAttemptsGoOn() {
		IdempotencyStoreSubmission submission = submission().ifIssued().issued(RETENTION);
		for (int attempt = 1; attempt <= 3; attempt++) {
			assertThat(submission.claim()).isEqualTo(new Granted(attempt, false));
			assertThat(submission.release(submission.claimId(attempt), Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
			submission = submission.again().asking("corrected " + attempt);
		}
	}

	@Test
	void aReleasedTokenLivesNoLongerThanItWasIssuedFor() {
		IdempotencyStoreSubmission first = submission().ifIssued().issued(SOON);
		first.release(first.granted(), Release.NO_EFFECT);
		passBeyond(SOON);
		assertThat(first.again().claim()).isEqualTo(new NotIssued());
	}

	@Test
	void aTokenThatExpiredWhileItWasClaimedIsGoneWhenReleased() {
		IdempotencyStoreSubmission first = submission().ifIssued().issued(SOON);
		ClaimId claim = first.granted();
		passBeyond(SOON);
		assertThat(first.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isEqualTo(new NotIssued());
	}

	@Test
	void neitherRenewalNorReadBackNorTakeoverProlongsAToken() {
		IdempotencyStoreSubmission renewed = submission().ifIssued().issued(SOON);
		IdempotencyStoreSubmission readBack = submission().ifIssued().issued(SOON);
		IdempotencyStoreSubmission lost = submission().ifIssued().issued(SOON);
		ClaimId claim = renewed.granted();
		readBack.granted();
		lost.release(lost.granted(), Release.UNKNOWN);
		passBeyond(SOON);
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		for (IdempotencyStoreSubmission submission : List.of(renewed, readBack, lost.again())) {
			assertThat(submission.release(submission.granted(), Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
			assertThat(submission.again().claim()).isEqualTo(new NotIssued());
		}
	}

	@Test
	void aTokenSurvivesTakeoverAndReadBack() {
		IdempotencyStoreSubmission first = submission().ifIssued().issued(RETENTION);
		first.release(first.granted(), Release.UNKNOWN);
		IdempotencyStoreSubmission second = first.again();
		second.granted();
		ClaimId claim = second.granted();
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		assertThat(second.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		assertThat(second.again().claim()).isEqualTo(new Granted(3, false));
	}

	@Test
	void aClaimOutlivesItsToken() {
		IdempotencyStoreSubmission first = submission().ifIssued().issued(SOON);
		ClaimId claim = first.granted();
		passBeyond(SOON);
		assertThat(first.again().claim()).isInstanceOf(InProgress.class);
		assertThat(first.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
	}

	// Burnt tokens

	@Test
	void aBurntKeyIsATombstoneFromTheClaimOn() {
		IdempotencyStoreSubmission first = submission().ifIssued().burning().keeping(SOON, RETENTION).issued(RETENTION);
		assertThat(first.claim()).isEqualTo(new Granted(1, false));
		assertThat(first.claim()).isEqualTo(new Granted(1, false));
		assertBurnt(first);
		passBeyond(SOON);
		assertBurnt(first);
	}

	private static void assertBurnt(IdempotencyStoreSubmission first) {
		assertThat(first.again().claim()).isInstanceOfSatisfying(Completed.class, (met) -> {
			assertThat(met.outcome()).isEqualTo(Outcome.TOMBSTONE);
			assertThat(met.attempt()).isEqualTo(1);
			assertThat(met.retentionLeft()).isPositive().isLessThanOrEqualTo(RETENTION);
		});
	}

	@Test
	void aBurntKeyIsReleasedByItsOwnerOnly() {
		IdempotencyStoreSubmission first = submission().ifIssued().burning().issued(RETENTION);
		ClaimId claim = first.granted();
		assertThat(first.release(first.again().claimId(1), Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		assertBurnt(first);
		assertThat(first.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isEqualTo(new Granted(2, false));
	}

	@Test
	void aBurntKeyHasNoLeaseAndNoUnknownOutcome() {
		IdempotencyStoreSubmission first = submission().burning();
		ClaimId claim = first.granted();
		assertThat(store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		assertBurnt(first);
		assertThat(first.release(claim, Release.UNKNOWN)).isEqualTo(Ownership.HELD);
		assertBurnt(first);
	}

	@Test
	void aBurntKeyMayStillBeGivenItsAnswer() {
		IdempotencyStoreSubmission first = submission().burning();
		ClaimId claim = first.granted();
		assertThat(first.complete(claim, ANSWER)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isInstanceOfSatisfying(Completed.class,
				(met) -> assertThat(met.outcome()).isEqualTo(ANSWER));
		assertThat(first.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
	}

	// Durations

	@Test
	void durationsOfAnyLengthAreTaken() {
		IdempotencyStoreSubmission shortest = submission().keeping(Duration.ofNanos(1), RETENTION);
		shortest.granted();
		pass(MOMENT);
		assertThat(shortest.again().claim()).isEqualTo(new Granted(2, true));
		Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
		IdempotencyStoreSubmission longest = submission().keeping(forever, forever).ifIssued().issued(forever);
		ClaimId claim = longest.granted();
		assertThat(longest.again().claim()).isInstanceOf(InProgress.class);
		assertThat(store().renew(claim, forever)).isEqualTo(Ownership.HELD);
		assertThat(store().complete(claim, ANSWER, forever)).isEqualTo(Ownership.HELD);
		assertThat(longest.again().claim()).isInstanceOfSatisfying(Completed.class,
				(met) -> assertThat(met.retentionLeft()).isGreaterThan(Duration.ofDays(36_000)));
	}

	// Wake-ups

	@Test
	void whoListensIsWokenWhenTheClaimEnds() throws InterruptedException {
		assumeTrue(store() instanceof WakeUps, "the store cannot push");
		for (Ending ending : Ending.values()) {
			IdempotencyStoreSubmission first = submission();
			ClaimId claim = first.granted();
			Semaphore woken = new Semaphore(0);
			try (WakeUps.Subscription subscription = ((WakeUps) store()).subscribe(first.key(), woken::release)) {
				assertThat(subscription).isNotNull();
				assertThat(first.again().listening().claim()).isInstanceOf(InProgress.class);
				awaitSilence(woken);
				ending.end(first, claim);
				assertThat(woken.tryAcquire(5, TimeUnit.SECONDS)).as("woken by %s", ending).isTrue();
			}
		}
	}

	/** A store may wake early while it subscribes. */
	private static void awaitSilence(Semaphore woken) throws InterruptedException {
		while (woken.tryAcquire(300, TimeUnit.MILLISECONDS)) {
			woken.drainPermits();
		}
	}

	private enum Ending {

		COMPLETED, NO_EFFECT, UNKNOWN;

		void end(IdempotencyStoreSubmission submission, ClaimId claim) {
			Ownership ownership = switch (this) {
				case COMPLETED -> submission.complete(claim, ANSWER);
				case NO_EFFECT -> submission.release(claim, Release.NO_EFFECT);
				case UNKNOWN -> submission.release(claim, Release.UNKNOWN);
			};
			assertThat(ownership).isEqualTo(Ownership.HELD);
		}

	}

	// Contention

	@Test
	void oneOfManyIsGranted() throws Exception {
		IdempotencyStoreFuzz.assertOneOfManyIsGranted(store());
	}

	@Test
	void noInterleavingRunsAnOperationTwice() throws Exception {
		IdempotencyStoreFuzz.assertNothingRunsTwice(store());
	}

}

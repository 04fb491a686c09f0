package io.idempotent.contract.store;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult.Completed;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.ClaimResult.InProgress;
import io.idempotent.store.ClaimResult.NotIssued;
import io.idempotent.store.ClaimResult.Unknown;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.Ownership;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordAdministration.FoundKeys;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.Release;
import io.idempotent.store.Settlement;
import io.idempotent.store.Settlement.Kind;
import io.idempotent.store.SettlementResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What operators see of records, and what they decide.
 */
abstract class StoreAdministrationTests extends StoreTests {

	private static final Origin ORIGIN = new Origin(Origin.application("shop"), "Orders.place", "orders-1",
			"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", Instant.ofEpochMilli(1_700_000_000_123L));

	private static final Duration RETENTION = StoreSubmission.RETENTION;

	private static final SecureRandom RANDOM = new SecureRandom();

	StoreAdministrationTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	@BeforeEach
	void needsAnAdministrationOfRecords() {
		assumeTrue(store() instanceof RecordAdministration, "The store is no RecordAdministration");
	}

	private RecordAdministration records() {
		return (RecordAdministration) store();
	}

	private RecordSnapshot inspect(StoreSubmission submission) {
		return records().inspect(submission.key());
	}

	private SettlementResult settle(ClaimId claim, Kind kind, boolean force) {
		return records()
			.settle(new Settlement(claim.key(), claim.owner(), claim.attempt(), kind, force, Owner.draw(RANDOM)));
	}

	private StoreSubmission lapsed() {
		StoreSubmission submission = submission().keeping(SOON, RETENTION);
		submission.granted();
		passBeyond(SOON);
		return submission;
	}

	@Test
	void aKeyWithoutARecordIsAbsent() {
		StoreSubmission submission = submission();
		assertThat(inspect(submission)).isEqualTo(RecordSnapshot.absent(submission.key()));
	}

	@Test
	void anIssuedKeyIsIssued() {
		RecordSnapshot issued = inspect(submission().issued(RETENTION));
		assertThat(issued.state()).isEqualTo(RecordState.ISSUED);
		assertThat(issued.attempt()).isZero();
		assertThat(issued.owner()).isNull();
		assertThat(issued.retentionLeft()).isBetween(RETENTION.minusMinutes(1), RETENTION);
	}

	@Test
	void aClaimIsInProgressWithItsOwnerAndOrigin() {
		StoreSubmission submission = submission().from(ORIGIN);
		ClaimId claim = submission.granted();
		RecordSnapshot running = inspect(submission);
		assertThat(running.state()).isEqualTo(RecordState.IN_PROGRESS);
		assertThat(running.key()).isEqualTo(submission.key());
		assertThat(running.attempt()).isEqualTo(1);
		assertThat(running.owner()).isEqualTo(claim.owner());
		assertThat(running.origin()).isEqualTo(ORIGIN);
		assertThat(running.outcome()).isNull();
		assertThat(running.leaseLeft()).isBetween(StoreSubmission.LEASE.dividedBy(2), StoreSubmission.LEASE);
		assertThat(running.retentionLeft()).isBetween(RETENTION.minusMinutes(1), RETENTION);
	}

	@Test
	void aClaimThatLapsedIsUnknown() {
		StoreSubmission lapsed = submission().from(ORIGIN).keeping(SOON, RETENTION);
		lapsed.granted();
		passBeyond(SOON);
		RecordSnapshot unknown = inspect(lapsed);
		assertThat(unknown.state()).isEqualTo(RecordState.UNKNOWN);
		assertThat(unknown.leaseLeft()).isZero();
		assertThat(unknown.origin()).isEqualTo(ORIGIN);
	}

	@Test
	void aClaimThatWasGivenUpIsUnknown() {
		StoreSubmission submission = submission();
		submission.release(submission.granted(), Release.UNKNOWN);
		assertThat(inspect(submission).state()).isEqualTo(RecordState.UNKNOWN);
		assertThat(inspect(submission).leaseLeft()).isZero();
	}

	@Test
	void anOutcomeIsCompletedWithItsAnswer() {
		StoreSubmission submission = submission().from(ORIGIN);
		ClaimId claim = submission.granted();
		submission.complete(claim, ANSWER);
		RecordSnapshot done = inspect(submission);
		assertThat(done.state()).isEqualTo(RecordState.COMPLETED);
		assertThat(done.outcome()).isEqualTo(ANSWER);
		assertThat(done.owner()).isEqualTo(claim.owner());
		assertThat(done.origin()).isEqualTo(ORIGIN);
		assertThat(done.leaseLeft()).isZero();
	}

	@Test
	void aBurntKeyIsCompleted() {
		StoreSubmission submission = submission().burning();
		submission.granted();
		assertThat(inspect(submission).state()).isEqualTo(RecordState.COMPLETED);
		assertThat(inspect(submission).outcome()).isEqualTo(Outcome.TOMBSTONE);
	}

	@Test
	void aDuplicateGetsTheOriginOfTheRun() {
		StoreSubmission submission = submission().from(ORIGIN);
		submission.complete(submission.granted(), ANSWER);
		Origin another = new Origin(Origin.application("shop"), "Orders.place", "orders-2", null, Instant.now());
		Completed completed = (Completed) submission.again().from(another).claim();
		assertThat(completed.origin()).isEqualTo(ORIGIN);
	}

	@Test
	void theOriginIsThatOfTheLastClaim() {
		StoreSubmission first = submission().from(ORIGIN).keeping(SOON, RETENTION);
		first.granted();
		passBeyond(SOON);
		Origin next = new Origin(Origin.application("shop"), "Orders.place", "orders-2", null, ORIGIN.claimedAt());
		first.again().from(next).granted();
		assertThat(inspect(first).origin()).isEqualTo(next);
		StoreSubmission second = submission().from(ORIGIN).keeping(SOON, RETENTION);
		second.granted();
		passBeyond(SOON);
		second.again().from(null).granted();
		assertThat(inspect(second).origin()).isNull();
	}

	@Test
	void anInspectionChangesNothing() {
		StoreSubmission lapsed = lapsed();
		inspect(lapsed);
		inspect(lapsed);
		assertThat(lapsed.again().leavingLapsed().claim()).isEqualTo(new Unknown());
		assertThat(lapsed.again().claim()).isEqualTo(new Granted(2, true));
	}

	@Test
	void aKeyIsFoundByItsShortHash() {
		StoreSubmission submission = submission();
		submission.release(submission.granted(), Release.UNKNOWN);
		submission.again().leavingLapsed().claim();
		FoundKeys found = records().findKeys(new KeyPrefix(submission.key().toString()), 10);
		assertThat(found.keys()).containsExactly(submission.key());
		assertThat(records().findKeys(new KeyPrefix(submission.key().encoded()), 10).keys())
			.containsExactly(submission.key());
	}

	@Test
	void aKeyInProgressIsFoundByItsShortHash() {
		StoreSubmission submission = submission();
		submission.granted();
		assertThat(records().findKeys(new KeyPrefix(submission.key().toString()), 10).keys())
			.containsExactly(submission.key());
	}

	@Test
	void aKeyWithoutARecordIsNotFound() {
		StoreSubmission submission = submission();
		assertThat(records().findKeys(new KeyPrefix(submission.key().toString()), 10).keys()).isEmpty();
		assertThat(records().findKeys(new KeyPrefix(submission.key().encoded()), 10))
			.isEqualTo(new FoundKeys(List.of(), true));
	}

	@Test
	void unknownOutcomesAreListedNewestFirst() {
		StoreSubmission older = submission();
		older.release(older.granted(), Release.UNKNOWN);
		pass(MOMENT);
		StoreSubmission newer = submission();
		newer.release(newer.granted(), Release.UNKNOWN);
		assertThat(records().unknown(1_000).records()).extracting(RecordSnapshot::key)
			.containsSubsequence(newer.key(), older.key());
		assertThat(records().unknown(1).records()).hasSize(1);
		assertThat(records().unknown(1).complete()).isFalse();
	}

	@Test
	void aLapsedClaimIsListedOnceASubmissionHasMetIt() {
		StoreSubmission lapsed = lapsed();
		lapsed.again().leavingLapsed().claim();
		assertThat(records().unknown(1_000).records()).extracting(RecordSnapshot::key).contains(lapsed.key());
	}

	@Test
	void whatIsResolvedIsNotListed() {
		StoreSubmission done = submission();
		ClaimId claim = done.granted();
		done.release(claim, Release.UNKNOWN);
		done.complete(claim, ANSWER);
		StoreSubmission confirmed = submission();
		ClaimId other = confirmed.granted();
		confirmed.release(other, Release.UNKNOWN);
		settle(other, Kind.CONFIRM, false);
		assertThat(records().unknown(1_000).records()).extracting(RecordSnapshot::key)
			.doesNotContain(done.key(), confirmed.key());
	}

	@Test
	void anUnknownOperationIsReleasedAndRunsAgain() {
		StoreSubmission lapsed = lapsed();
		assertThat(settle(lapsed.claimId(1), Kind.RELEASE, false)).isEqualTo(SettlementResult.SETTLED);
		assertThat(inspect(lapsed).state()).isEqualTo(RecordState.ISSUED);
		assertThat(lapsed.again().leavingLapsed().claim()).isEqualTo(new Granted(2, false));
	}

	@Test
	void aReleaseByAnOperatorAdmitsASubmissionThatNeedsAToken() {
		StoreSubmission submission = submission().ifIssued().keeping(SOON, RETENTION).issued(SOON);
		submission.granted();
		passBeyond(SOON);
		assertThat(settle(submission.claimId(1), Kind.RELEASE, false)).isEqualTo(SettlementResult.SETTLED);
		assertThat(submission.again().claim()).isEqualTo(new Granted(2, false));
		assertThat(submission().ifIssued().claim()).isEqualTo(new NotIssued());
	}

	@Test
	void anUnknownOperationIsConfirmedAndNeverRunsAgain() {
		StoreSubmission submission = submission().from(ORIGIN);
		ClaimId claim = submission.granted();
		submission.release(claim, Release.UNKNOWN);
		assertThat(settle(claim, Kind.CONFIRM, false)).isEqualTo(SettlementResult.SETTLED);
		Completed completed = (Completed) submission.again().claim();
		assertThat(completed.outcome()).isEqualTo(Outcome.TOMBSTONE);
		assertThat(completed.attempt()).isEqualTo(1);
		assertThat(completed.retentionLeft()).isBetween(RETENTION.minusMinutes(1), RETENTION);
		assertThat(inspect(submission).origin()).isEqualTo(ORIGIN);
	}

	@Test
	void aClaimThatIsAliveIsSettledByForceOnly() {
		for (Kind kind : Kind.values()) {
			StoreSubmission submission = submission();
			ClaimId claim = submission.granted();
			assertThat(settle(claim, kind, false)).isEqualTo(SettlementResult.ALIVE);
			assertThat(submission.again().claim()).isInstanceOf(InProgress.class);
			assertThat(settle(claim, kind, true)).isEqualTo(SettlementResult.SETTLED);
		}
	}

	@Test
	void anOwnerThatRenewsIsAliveAgain() {
		StoreSubmission lapsed = lapsed();
		store().renew(lapsed.claimId(1), StoreSubmission.LEASE);
		assertThat(settle(lapsed.claimId(1), Kind.RELEASE, false)).isEqualTo(SettlementResult.ALIVE);
	}

	@Test
	void anOwnerThatWasSettledHasLostItsClaim() {
		for (Kind kind : Kind.values()) {
			StoreSubmission submission = submission();
			ClaimId claim = submission.granted();
			settle(claim, kind, true);
			assertThat(store().renew(claim, StoreSubmission.LEASE)).isEqualTo(Ownership.LOST);
			assertThat(submission.complete(claim, ANSWER)).isEqualTo(Ownership.LOST);
			assertThat(submission.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.LOST);
		}
	}

	@Test
	void onlyTheClaimThatWasSeenIsSettled() {
		StoreSubmission first = lapsed();
		StoreSubmission second = first.again();
		ClaimId takenOver = second.granted();
		for (Kind kind : Kind.values()) {
			assertThat(settle(first.claimId(1), kind, true)).isEqualTo(SettlementResult.CHANGED);
			assertThat(settle(second.claimId(1), kind, true)).isEqualTo(SettlementResult.CHANGED);
			assertThat(settle(first.claimId(2), kind, true)).isEqualTo(SettlementResult.CHANGED);
		}
		assertThat(second.complete(takenOver, ANSWER)).isEqualTo(Ownership.HELD);
	}

	@Test
	void whatIsNotInProgressIsNotSettled() {
		StoreSubmission done = submission();
		done.complete(done.granted(), ANSWER);
		StoreSubmission burnt = submission().burning();
		burnt.granted();
		for (Kind kind : Kind.values()) {
			assertThat(settle(submission().claimId(1), kind, true)).isEqualTo(SettlementResult.CHANGED);
			assertThat(settle(done.claimId(1), kind, true)).isEqualTo(SettlementResult.CHANGED);
			assertThat(settle(burnt.claimId(1), kind, true)).isEqualTo(SettlementResult.CHANGED);
		}
		assertThat(((Completed) done.again().claim()).outcome()).isEqualTo(ANSWER);
	}

	@Test
	void aRepeatedSettlementChangesNothing() {
		StoreSubmission lapsed = lapsed();
		settle(lapsed.claimId(1), Kind.RELEASE, false);
		assertThat(settle(lapsed.claimId(1), Kind.CONFIRM, true)).isEqualTo(SettlementResult.CHANGED);
		assertThat(lapsed.again().claim()).isEqualTo(new Granted(2, false));
	}

}

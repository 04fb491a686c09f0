package io.idempotent.contract.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult.Completed;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.ClaimResult.Unknown;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordAdministration.FoundKeys;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.Settlement.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators see of records. */
abstract class StoreAdministrationTests extends StoreTests {

	static final Origin ORIGIN = new Origin(Origin.application("shop"), "Orders.place", "orders-1",
			"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", Instant.ofEpochMilli(1_700_000_000_123L));

	private static final Duration RETENTION = StoreSubmission.RETENTION;

	StoreAdministrationTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	@BeforeEach
	void needsAnAdministrationOfRecords() {
		records();
	}

	private RecordSnapshot inspect(StoreSubmission submission) {
		return records().inspect(submission.key());
	}

	private List<OperationKey> find(String prefix) {
		return records().findKeys(new KeyPrefix(prefix), 10).keys();
	}

	private List<OperationKey> unknownKeys() {
		return records().unknown(1_000).records().stream().map(RecordSnapshot::key).toList();
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
	void aLateCompletionHasNoOriginOfAnotherOwner() {
		StoreSubmission first = submission().keeping(SOON.minusMillis(1), SOON);
		ClaimId late = first.granted();
		passBeyond(SOON);
		first.again().from(ORIGIN).granted();
		passBeyond(SOON);
		assertThat(first.complete(late, Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
		assertThat(inspect(first).origin()).isNull();
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
		RecordSnapshot unknown = inspect(lapsed(submission().from(ORIGIN)));
		assertThat(unknown.state()).isEqualTo(RecordState.UNKNOWN);
		assertThat(unknown.leaseLeft()).isZero();
		assertThat(unknown.origin()).isEqualTo(ORIGIN);
	}

	@Test
	void aClaimThatWasGivenUpIsUnknown() {
		RecordSnapshot unknown = inspect(unknown());
		assertThat(unknown.state()).isEqualTo(RecordState.UNKNOWN);
		assertThat(unknown.leaseLeft()).isZero();
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
		StoreSubmission submission = completed(submission().from(ORIGIN));
		Origin another = new Origin(Origin.application("shop"), "Orders.place", "orders-2", null, Instant.now());
		Completed completed = (Completed) submission.again().from(another).claim();
		assertThat(completed.origin()).isEqualTo(ORIGIN);
	}

	@Test
	void theOriginIsThatOfTheLastClaim() {
		StoreSubmission first = lapsed(submission().from(ORIGIN));
		Origin next = new Origin(Origin.application("shop"), "Orders.place", "orders-2", null, ORIGIN.claimedAt());
		first.again().from(next).granted();
		assertThat(inspect(first).origin()).isEqualTo(next);
		StoreSubmission second = lapsed(submission().from(ORIGIN));
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
		StoreSubmission submission = unknown();
		submission.again().leavingLapsed().claim();
		assertThat(find(submission.key().toString())).containsExactly(submission.key());
		assertThat(find(submission.key().encoded())).containsExactly(submission.key());
	}

	@Test
	void aKeyInProgressIsFoundByItsShortHash() {
		StoreSubmission submission = submission();
		submission.granted();
		assertThat(find(submission.key().toString())).containsExactly(submission.key());
	}

	@Test
	void aKeyWithoutARecordIsNotFound() {
		StoreSubmission submission = submission();
		assertThat(find(submission.key().toString())).isEmpty();
		assertThat(records().findKeys(new KeyPrefix(submission.key().encoded()), 10))
			.isEqualTo(new FoundKeys(List.of(), true));
	}

	@Test
	void unknownOutcomesAreListedNewestFirst() {
		StoreSubmission older = unknown();
		pass(MOMENT);
		StoreSubmission newer = unknown();
		assertThat(unknownKeys()).containsSubsequence(newer.key(), older.key());
		assertThat(records().unknown(1).records()).hasSize(1);
		assertThat(records().unknown(1).complete()).isFalse();
	}

	@Test
	void aLapsedClaimIsListedOnceASubmissionHasMetIt() {
		StoreSubmission lapsed = lapsed();
		lapsed.again().leavingLapsed().claim();
		assertThat(unknownKeys()).contains(lapsed.key());
	}

	@Test
	void whatIsResolvedIsNotListed() {
		StoreSubmission done = unknown();
		done.complete(done.claimId(1), ANSWER);
		StoreSubmission confirmed = unknown();
		settle(confirmed.claimId(1), Kind.CONFIRM, false);
		assertThat(unknownKeys()).doesNotContain(done.key(), confirmed.key());
	}

}

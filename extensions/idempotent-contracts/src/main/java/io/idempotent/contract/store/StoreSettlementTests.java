package io.idempotent.contract.store;

import java.time.Duration;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult.Completed;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.ClaimResult.InProgress;
import io.idempotent.store.ClaimResult.NotIssued;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordAdministration.SettlementResult;
import io.idempotent.store.RecordState;
import io.idempotent.store.Settlement.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators decide on records. */
abstract class StoreSettlementTests extends StoreTests {

	private static final Duration RETENTION = StoreSubmission.RETENTION;

	StoreSettlementTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	@Test
	void anUnknownOperationIsReleasedAndRunsAgain() {
		StoreSubmission lapsed = lapsed();
		assertThat(settle(lapsed.claimId(1), Kind.RELEASE, false)).isEqualTo(SettlementResult.SETTLED);
		assertThat(records().inspect(lapsed.key()).state()).isEqualTo(RecordState.ISSUED);
		assertThat(lapsed.again().leavingLapsed().claim()).isEqualTo(new Granted(2, false));
	}

	@Test
	void aReleaseByAnOperatorAdmitsASubmissionThatNeedsAToken() {
		StoreSubmission submission = lapsed(submission().ifIssued().issued(SOON));
		assertThat(settle(submission.claimId(1), Kind.RELEASE, false)).isEqualTo(SettlementResult.SETTLED);
		assertThat(submission.again().claim()).isEqualTo(new Granted(2, false));
		assertThat(submission().ifIssued().claim()).isEqualTo(new NotIssued());
	}

	@Test
	void anUnknownOperationIsConfirmedAndNeverRunsAgain() {
		StoreSubmission submission = submission().from(StoreAdministrationTests.ORIGIN);
		ClaimId claim = submission.granted();
		submission.release(claim, Release.UNKNOWN);
		assertThat(settle(claim, Kind.CONFIRM, false)).isEqualTo(SettlementResult.SETTLED);
		Completed completed = (Completed) submission.again().caching().claim();
		assertThat(completed.outcome()).isEqualTo(Outcome.TOMBSTONE);
		assertThat(completed.attempt()).isEqualTo(1);
		assertThat(completed.retentionLeft()).isBetween(RETENTION.minusMinutes(1), RETENTION);
		assertThat(records().inspect(submission.key()).origin()).isEqualTo(StoreAdministrationTests.ORIGIN);
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
		StoreSubmission done = completed(submission());
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

package io.idempotent.engine;

import java.time.Duration;

import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.NextStep.Action;
import io.idempotent.engine.NextStep.Decided;
import io.idempotent.engine.NextStep.TookEffect;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class NextStepTests {

	private static final OperationPolicy WAITING = TestPolicy.waiting(Duration.ofSeconds(1));

	private final Submission submission = TestGate.submission("order 1");

	@Test
	void aFirstClaimRuns() {
		assertThat(afterClaim(TestPolicy.DEFAULT, new ClaimResult.Granted(1, false))).isEqualTo(Action.RUN);
	}

	@Test
	void aClaimOfAnotherOwnerIsRunOnlyWithoutAReceipt() {
		assertThat(afterClaim(TestPolicy.DEFAULT, new ClaimResult.Granted(2, true))).isEqualTo(Action.FIND_RECEIPT);
		assertThat(afterClaim(TestPolicy.DEFAULT, new ClaimResult.Unknown())).isEqualTo(Action.FIND_RECEIPT);
	}

	@Test
	void aSubmissionWaitsOnceAtMost() {
		ClaimResult running = new ClaimResult.InProgress(Duration.ofSeconds(1));
		assertThat(NextStep.afterClaim(WAITING, running, true)).isEqualTo(Action.WAIT);
		assertThat(NextStep.afterClaim(WAITING, running, false)).isEqualTo(refused(Refusal.IN_PROGRESS));
		assertThat(afterClaim(TestPolicy.DEFAULT, running)).isEqualTo(refused(Refusal.IN_PROGRESS));
	}

	@Test
	void anotherContentOrAnUnknownTokenIsRefused() {
		ClaimResult reused = new ClaimResult.KeyReused(TestGate.submission("order 1", "another").fingerprint());
		assertThat(afterClaim(TestPolicy.DEFAULT, reused)).isEqualTo(refused(Refusal.KEY_REUSED));
		assertThat(afterClaim(TestPolicy.DEFAULT, new ClaimResult.NotIssued()))
			.isEqualTo(refused(Refusal.TOKEN_UNKNOWN));
		OutcomeCache.Entry cached = new OutcomeCache.Entry(TestGate.submission("order 1", "another").fingerprint(),
				TestGate.ANSWER, 1, null, 0);
		assertThat(NextStep.afterCacheHit(TestPolicy.DEFAULT, this.submission, cached, cached.found()))
			.isEqualTo(refused(Refusal.KEY_REUSED));
	}

	@Test
	void aResultThatIsNotStoredIsLookedUpOnlyToReplayIt() {
		ClaimResult tombstone = new ClaimResult.Completed(Outcome.TOMBSTONE, 1, Duration.ofMinutes(1), null);
		assertThat(afterClaim(TestPolicy.DEFAULT, tombstone)).isEqualTo(Action.FIND_RESULT);
		assertThat(afterClaim(TestPolicy.with(WhenCompleted.REJECT), tombstone))
			.isEqualTo(new Decided(new Decision.Refused(Refusal.DUPLICATE, Duration.ofMinutes(1))));
	}

	@ParameterizedTest
	@CsvSource({ "RERUN, RERUN", "REJECT, LEAVE_UNKNOWN", "ASK, ASK_APPLICATION" })
	void withoutAReceiptThePolicyDecides(WhenUnknown whenUnknown, Action expected) {
		assertThat(NextStep.afterReceipt(TestPolicy.with(whenUnknown), true, null)).isEqualTo(expected);
	}

	@Test
	void withoutAClaimTheOutcomeStaysUnknown() {
		assertThat(NextStep.afterReceipt(TestPolicy.DEFAULT, false, null)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		assertThat(NextStep.afterReceipt(TestPolicy.DEFAULT, false, TestGate.ANSWER))
			.isEqualTo(new TookEffect(TestGate.ANSWER));
	}

	@Test
	void theApplicationDecidesByItsVerdict() {
		assertThat(NextStep.afterVerdict(Verdict.HAPPENED)).isEqualTo(new TookEffect(Outcome.TOMBSTONE));
		assertThat(NextStep.afterVerdict(Verdict.DID_NOT_HAPPEN)).isEqualTo(Action.RERUN);
		assertThat(NextStep.afterVerdict(Verdict.CANNOT_TELL)).isEqualTo(Action.LEAVE_UNKNOWN);
	}

	@Test
	void withoutTheStoreNothingRunsThatMayRunElsewhere() {
		OperationPolicy proceeding = TestPolicy.with(WhenStoreFails.PROCEED);
		assertThat(NextStep.afterOutage(proceeding, false, false)).isEqualTo(Action.RUN_UNPROTECTED);
		assertThat(NextStep.afterOutage(proceeding, true, false)).isEqualTo(refused(Refusal.STORE_UNAVAILABLE));
		assertThat(NextStep.afterOutage(proceeding, false, true)).isEqualTo(refused(Refusal.STORE_UNAVAILABLE));
		assertThat(NextStep.afterOutage(TestPolicy.DEFAULT, false, false))
			.isEqualTo(refused(Refusal.STORE_UNAVAILABLE));
	}

	private static NextStep afterClaim(OperationPolicy policy, ClaimResult answer) {
		return NextStep.afterClaim(policy, answer, true);
	}

	private static NextStep refused(Refusal reason) {
		return new Decided(new Decision.Refused(reason));
	}

}

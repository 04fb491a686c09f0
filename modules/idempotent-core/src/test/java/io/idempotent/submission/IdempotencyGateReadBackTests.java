package io.idempotent.submission;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import io.idempotent.IdempotencyEvent;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.submission.FaultyStore.Call;
import io.idempotent.submission.FaultyStore.Fault;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.submission.receipt.AttemptReceipt;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.idempotent.submission.TestGate.complete;
import static io.idempotent.submission.TestGate.refused;
import static io.idempotent.submission.TestGate.replayed;
import static io.idempotent.submission.TestGate.submission;
import static io.idempotent.submission.TestGate.withToken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A lost reply is not a lost claim.
 */
class IdempotencyGateReadBackTests {

	private static final OperationPolicy SHORT_LEASE = TestPolicy.lease(Duration.ofMillis(500), WhenUnknown.REJECT);

	@AutoClose
	private final TestGate gate = TestGate.opened();

	private final Submission submission = submission("order 1");

	private void bothRepliesAreLost() {
		this.gate.store().next(Call.CLAIM, Fault.REPLY_LOST, Fault.REPLY_LOST);
	}

	@Test
	void aClaimWhoseReplyWasLostIsGrantedAndNotADuplicateOfItself() {
		this.gate.store().next(Call.CLAIM, Fault.REPLY_LOST);
		Claim claim = this.gate.run(this.submission);
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM, Call.CLAIM);
		assertThat(claim.attempt()).isEqualTo(1);
		complete(claim);
		assertThat(this.gate.enter(this.submission)).isEqualTo(replayed(1));
	}

	@Test
	void aBurntKeyWhoseReplyWasLostIsGranted() {
		this.gate.store().next(Call.CLAIM, Fault.REPLY_LOST);
		complete(this.gate.run(TestPolicy.with(WhenCompleted.BURN), this.submission));
	}

	@Test
	void aClaimThatDidNotReachTheStoreIsRetriedOnce() {
		this.gate.store().next(Call.CLAIM, Fault.UNREACHABLE);
		this.gate.run(this.submission);
	}

	@Test
	void aDuplicateWhoseReplyWasLostIsStillADuplicate() {
		this.gate.run(this.submission);
		this.gate.store().next(Call.CLAIM, Fault.REPLY_LOST);
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
	}

	@Test
	void withoutAnyReplyNothingRuns() {
		bothRepliesAreLost();
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.STORE_UNAVAILABLE));
		assertThat(this.gate.store().calls()).startsWith(Call.CLAIM, Call.CLAIM);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.REFUSED);
	}

	@Test
	void aClaimWithoutAReplyIsWithdrawnInTheBackground() {
		bothRepliesAreLost();
		this.gate.enter(this.submission);
		await().untilAsserted(() -> assertThat(this.gate.store().count(Call.RELEASE)).isEqualTo(1));
		assertThat(this.gate.run(this.submission).attempt()).isEqualTo(1);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.REFUSED, IdempotencyEvent.Type.GRANTED);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void theNextSubmissionRunsAsSoonAsTheStoreIsBack(WhenCompleted whenCompleted) {
		OperationPolicy policy = TestPolicy.with(whenCompleted);
		bothRepliesAreLost();
		this.gate.enter(policy, this.submission);
		this.gate.store().goDown();
		this.gate.gate().flush();
		this.gate.store().comeBack();
		this.gate.gate().flush();
		this.gate.run(policy, this.submission);
	}

	@Test
	void aBurntKeyThatIsRetainedNoLongerThanItsLeaseIsWithdrawn() {
		OperationPolicy policy = TestPolicy.retention(TestPolicy.LEASE, WhenCompleted.BURN);
		bothRepliesAreLost();
		this.gate.enter(policy, this.submission);
		this.gate.gate().flush();
		this.gate.run(policy, this.submission);
	}

	@Test
	void aTokenWhoseClaimGotNoReplyIsIssuedAgain() {
		Submission token = withToken("token");
		this.gate.gate().issue(token.key(), TestPolicy.RETENTION);
		bothRepliesAreLost();
		this.gate.enter(token);
		this.gate.gate().flush();
		this.gate.run(token);
	}

	@Test
	void aClaimThatNeverReachedTheStoreLeavesNoRecord() {
		this.gate.store().next(Call.CLAIM, Fault.UNREACHABLE, Fault.UNREACHABLE);
		this.gate.enter(this.submission);
		this.gate.gate().flush();
		assertThat(this.gate.store().count(Call.RELEASE)).isZero();
		assertThat(this.gate.enter(new Submission(this.submission.key(), "order 1", this.submission.fingerprint(),
				ClaimRequest.Admission.ISSUED, this.submission.keyLife())))
			.isEqualTo(refused(Refusal.TOKEN_UNKNOWN));
	}

	@Test
	void aClaimThatArrivesAfterItsWithdrawalIsRemoved() {
		Supplier<?> late = withdrawn(this.submission, null, () -> this.gate.store().count(Call.CLAIM) == 3);
		assertRemoved(this.submission, late);
	}

	@Test
	void aLateClaimOfATokenIsRemoved() {
		Submission token = withToken("token");
		this.gate.gate().issue(token.key(), TestPolicy.RETENTION);
		Supplier<?> late = withdrawn(token, null, () -> this.gate.store().count(Call.RELEASE) == 1);
		assertRemoved(token, late);
	}

	@Test
	void aLateClaimWhoseRepetitionWasWithdrawnIsRemoved() {
		Supplier<?> late = withdrawn(this.submission, Fault.REPLY_LOST,
				() -> this.gate.store().count(Call.RELEASE) == 1);
		assertRemoved(this.submission, late);
	}

	/** Returns the first claim, which is on its way. It is sent again, with a fault. */
	private Supplier<?> withdrawn(Submission submission, Fault again, Callable<Boolean> withdrawn) {
		Queue<Supplier<?>> onTheWay = new ConcurrentLinkedQueue<>();
		Fault late = new Fault() {
			@Override
			public <R> R strike(Supplier<R> effect) {
				onTheWay.add(effect);
				throw new StoreUnavailableException("No reply, and the connection is given up", null);
			}
		};
		this.gate.store().next(Call.CLAIM, late, (again != null) ? again : late);
		assertThat(this.gate.enter(SHORT_LEASE, submission)).isEqualTo(refused(Refusal.STORE_UNAVAILABLE));
		await().until(withdrawn);
		return onTheWay.remove();
	}

	private void assertRemoved(Submission submission, Supplier<?> late) {
		assertThat(late.get()).isInstanceOf(ClaimResult.Granted.class);
		assertThat(this.gate.enter(SHORT_LEASE, submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
		await().until(() -> this.gate.enter(SHORT_LEASE, submission) instanceof Decision.Run);
	}

	@Test
	void aClaimMadeBeforeTheWithdrawalIsKept() {
		this.gate.store().next(Call.CLAIM, Fault.UNREACHABLE, Fault.UNREACHABLE);
		this.gate.enter(this.submission);
		Claim faster = this.gate.run(this.submission);
		this.gate.gate().flush();
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
		complete(faster);
		assertThat(this.gate.enter(this.submission)).isEqualTo(replayed(1));
	}

	@Test
	void aWithdrawnTakeoverLeavesTheOutcomeUnknown() {
		this.gate.run(this.submission).end(End.UNKNOWN);
		bothRepliesAreLost();
		assertThat(this.gate.enter(TestPolicy.with(WhenUnknown.ASK), this.submission))
			.isEqualTo(refused(Refusal.STORE_UNAVAILABLE));
		this.gate.gate().flush();
		assertThat(this.gate.enter(TestPolicy.with(WhenUnknown.REJECT), this.submission))
			.isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
	}

	@Test
	void aWithdrawalLeavesUnknownOutcomesOfOthersAlone() {
		this.gate.store().next(Call.CLAIM, Fault.UNREACHABLE, Fault.UNREACHABLE);
		this.gate.enter(this.submission);
		this.gate.run(this.submission).end(End.UNKNOWN);
		this.gate.gate().flush();
		assertThat(this.gate.enter(TestPolicy.with(WhenUnknown.REJECT), this.submission))
			.isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
	}

	@Test
	void aWithdrawalWhoseReplyWasLostIsRepeated() {
		bothRepliesAreLost();
		this.gate.enter(this.submission);
		this.gate.store().next(Call.RELEASE, Fault.REPLY_LOST);
		this.gate.gate().flush();
		this.gate.gate().flush();
		this.gate.run(this.submission);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.REFUSED, IdempotencyEvent.Type.GRANTED);
	}

	@Test
	void aRunWithoutTheStoreAlsoWithdrawsItsClaim() {
		bothRepliesAreLost();
		assertThat(this.gate.enter(TestPolicy.with(WhenStoreFails.PROCEED), this.submission))
			.isEqualTo(new Decision.RunUnprotected(AttemptReceipt.NONE));
		this.gate.gate().flush();
		this.gate.run(this.submission);
	}

	@Test
	void aRecordThatTheRepeatCannotReadIsRefused() {
		this.gate.store().next(Call.CLAIM, Fault.UNREACHABLE, Fault.UNREADABLE);
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.RECORD_UNREADABLE));
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM, Call.CLAIM);
	}

}

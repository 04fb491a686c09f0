package io.idempotent.engine;

import java.time.Duration;
import java.util.List;

import io.idempotent.IdempotencyEvent;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.FaultyStore.Call;
import io.idempotent.engine.FaultyStore.Fault;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Ending;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.engine.receipt.EffectProof;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.idempotent.engine.TestGate.complete;
import static io.idempotent.engine.TestGate.refused;
import static io.idempotent.engine.TestGate.replayed;
import static io.idempotent.engine.TestGate.submission;
import static io.idempotent.engine.TestGate.withToken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a submission meets, row by row.
 */
class IdempotencyGateTests {

	private static final Duration MOMENT = Duration.ofNanos(1);

	private final TestGate gate = TestGate.opened();

	private final Submission submission = submission("order 1");

	@AfterEach
	void close() {
		this.gate.close();
	}

	// Absent and issued

	@Test
	void aClaimIsReleasedIfTheStoreFailsAfterGrantingIt() {
		OperationPolicy policy = TestPolicy.with(WhenUnknown.REJECT);
		for (Throwable defect : List.of(new IllegalStateException("a defect"), new StackOverflowError())) {
			this.gate.store().next(Call.CLAIM, Fault.NONE.andAfter(() -> IdempotencyGateTests.sneak(defect)));
			assertThatExceptionOfType(defect.getClass()).isThrownBy(() -> this.gate.enter(policy, this.submission));
			this.gate.gate().flush();
			this.gate.pass(TestPolicy.LEASE);
			this.gate.run(policy, this.submission).end(Ending.Plain.NO_EFFECT);
		}
	}

	@SuppressWarnings("unchecked")
	private static <X extends Throwable> void sneak(Throwable failure) throws X {
		throw (X) failure;
	}

	@Test
	void aNewKeyRuns() {
		Claim claim = this.gate.run(this.submission);
		assertThat(claim.key()).isEqualTo(this.submission.key());
		assertThat(claim.attempt()).isEqualTo(1);
		assertThat(claim.retention()).isEqualTo(TestPolicy.RETENTION);
		assertThat(claim.isLost()).isFalse();
	}

	@Test
	void aTokenThatWasIssuedRuns() {
		Submission token = withToken("token");
		this.gate.gate().issue(token.key(), TestPolicy.RETENTION);
		assertThat(this.gate.run(token).attempt()).isEqualTo(1);
	}

	@Test
	void aTokenThatWasNotIssuedIsUnknown() {
		assertThat(this.gate.enter(withToken("forged"))).isEqualTo(refused(Refusal.TOKEN_UNKNOWN));
	}

	@Test
	void aTokenThatHasExpiredIsUnknown() {
		Submission token = withToken("token");
		this.gate.gate().issue(token.key(), Duration.ofMinutes(1));
		this.gate.pass(Duration.ofMinutes(1));
		assertThat(this.gate.enter(token)).isEqualTo(refused(Refusal.TOKEN_UNKNOWN));
	}

	@Test
	void aTokenThatWasGivenBackRunsAgain() {
		Submission token = withToken("token");
		this.gate.gate().issue(token.key(), TestPolicy.RETENTION);
		this.gate.run(token).end(Ending.Plain.NO_EFFECT);
		assertThat(this.gate.run(token).attempt()).isEqualTo(2);
	}

	@Test
	void issuingATokenReportsAnUnavailableStore() {
		this.gate.store().goDown();
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> this.gate.gate().issue(this.submission.key(), TestPolicy.RETENTION));
	}

	// Completed

	@Test
	void aRepeatGetsTheFirstAnswer() {
		complete(this.gate.run(this.submission));
		assertThat(this.gate.enter(this.submission)).isEqualTo(replayed(1));
		assertThat(this.gate.enter(this.submission)).isEqualTo(replayed(1));
	}

	@ParameterizedTest
	@EnumSource(names = { "REJECT", "BURN" })
	void aRepeatIsRefusedAsADuplicateWithoutReplay(WhenCompleted whenCompleted) {
		complete(this.gate.run(TestPolicy.with(whenCompleted), this.submission));
		assertThat(this.gate.enter(TestPolicy.with(whenCompleted), this.submission))
			.isEqualTo(refused(Refusal.DUPLICATE));
	}

	@Test
	void aTombstoneHasNoAnswer() {
		Claim claim = this.gate.run(this.submission);
		claim.end(new Ending.Completed(Outcome.TOMBSTONE));
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.gate.enter(TestPolicy.with(WhenCompleted.REJECT), this.submission))
			.isEqualTo(refused(Refusal.DUPLICATE));
	}

	@Test
	void anExpiredRecordRunsAgain() {
		complete(this.gate.run(this.submission));
		this.gate.pass(TestPolicy.RETENTION);
		assertThat(this.gate.run(this.submission).attempt()).isEqualTo(1);
	}

	@Test
	void theOperationMaySayHowLongItIsRetained() {
		Claim claim = this.gate.run(this.submission);
		claim.rememberFor(TestPolicy.RETENTION.multipliedBy(2));
		complete(claim);
		this.gate.pass(TestPolicy.RETENTION);
		assertThat(this.gate.enter(this.submission)).isEqualTo(replayed(1));
		this.gate.pass(TestPolicy.RETENTION);
		this.gate.run(this.submission);
	}

	@Test
	void aKeyThatLivesLongerThanTheRetentionIsRememberedAsLong() {
		Duration life = TestPolicy.RETENTION.multipliedBy(3);
		Submission signed = new Submission(this.submission.key(), "signed", this.submission.fingerprint(),
				ClaimRequest.Admission.OPEN, life);
		Claim claim = this.gate.run(signed);
		assertThat(claim.retention()).isEqualTo(life);
		complete(claim);
		this.gate.pass(life.minus(MOMENT));
		assertThat(this.gate.enter(signed)).isEqualTo(replayed(1));
	}

	@Test
	void aKeyThatLivesShorterThanTheRetentionDoesNotShortenIt() {
		Submission signed = new Submission(this.submission.key(), "signed", this.submission.fingerprint(),
				ClaimRequest.Admission.OPEN, TestPolicy.RETENTION.minus(MOMENT));
		assertThat(this.gate.run(signed).retention()).isEqualTo(TestPolicy.RETENTION);
	}

	// Key reused

	@Test
	void otherContentUnderARunningKeyIsRefused() {
		this.gate.run(this.submission);
		assertThat(this.gate.enter(submission("order 1", "else"))).isEqualTo(refused(Refusal.KEY_REUSED));
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void otherContentUnderACompletedKeyIsRefused(WhenCompleted whenCompleted) {
		OperationPolicy policy = TestPolicy.with(whenCompleted);
		complete(this.gate.run(policy, this.submission));
		assertThat(this.gate.enter(policy, submission("order 1", "else"))).isEqualTo(refused(Refusal.KEY_REUSED));
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void otherContentUnderAnUnknownKeyIsRefused(WhenUnknown whenUnknown) {
		this.gate.run(this.submission).end(Ending.Plain.UNKNOWN);
		assertThat(this.gate.enter(TestPolicy.with(whenUnknown), submission("order 1", "else")))
			.isEqualTo(refused(Refusal.KEY_REUSED));
	}

	@Test
	void otherContentUnderAKeyThatWasGivenBackRuns() {
		this.gate.run(this.submission).end(Ending.Plain.NO_EFFECT);
		this.gate.run(submission("order 1", "corrected"));
	}

	@Test
	void anotherKeyIsAnotherOperation() {
		this.gate.run(this.submission);
		complete(this.gate.run(submission("order 2")));
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
	}

	// In progress

	@Test
	void aDuplicateOfARunningOperationIsRefusedAtOnce() {
		this.gate.run(this.submission);
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM, Call.CLAIM);
	}

	@Test
	void anOperationThatTookNoEffectRunsAgain() {
		this.gate.run(this.submission).end(Ending.Plain.NO_EFFECT);
		assertThat(this.gate.run(this.submission).attempt()).isEqualTo(1);
	}

	// Store

	@Test
	void aStoreThatIsDownRefusesByDefault() {
		this.gate.store().goDown();
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.STORE_UNAVAILABLE));
	}

	@Test
	void anOperationMayProceedWithoutTheStore() {
		this.gate.store().goDown();
		assertThat(this.gate.enter(TestPolicy.with(WhenStoreFails.PROCEED), this.submission))
			.isEqualTo(new Decision.RunUnprotected(EffectProof.NONE));
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.UNPROTECTED);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void anUnreadableRecordNeverRuns(WhenStoreFails whenStoreFails) {
		this.gate.store().next(Call.CLAIM, Fault.UNREADABLE);
		assertThat(this.gate.enter(TestPolicy.with(whenStoreFails), this.submission))
			.isEqualTo(refused(Refusal.RECORD_UNREADABLE));
	}

	// Burnt

	@Test
	void aBurntKeyCostsOneCall() {
		OperationPolicy policy = TestPolicy.with(WhenCompleted.BURN);
		complete(this.gate.run(policy, this.submission));
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.COMPLETED);
	}

	@Test
	void aBurntKeyIsADuplicateFromTheClaimOn() {
		OperationPolicy policy = TestPolicy.with(WhenCompleted.BURN);
		this.gate.run(policy, this.submission);
		assertThat(this.gate.enter(policy, this.submission)).isEqualTo(refused(Refusal.DUPLICATE));
		this.gate.pass(TestPolicy.LEASE.multipliedBy(2));
		assertThat(this.gate.enter(policy, this.submission)).isEqualTo(refused(Refusal.DUPLICATE));
	}

	@Test
	void aBurntKeyIsGivenBackWhenNoEffectTookPlace() {
		OperationPolicy policy = TestPolicy.with(WhenCompleted.BURN);
		this.gate.run(policy, this.submission).end(Ending.Plain.NO_EFFECT);
		this.gate.run(policy, this.submission);
	}

	@Test
	void aBurntKeyStaysBurntIfTheOutcomeIsUnknown() {
		OperationPolicy policy = TestPolicy.with(WhenCompleted.BURN);
		this.gate.run(policy, this.submission).end(Ending.Plain.UNKNOWN);
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.LEFT_UNKNOWN);
		assertThat(this.gate.enter(policy, this.submission)).isEqualTo(refused(Refusal.DUPLICATE));
	}

}

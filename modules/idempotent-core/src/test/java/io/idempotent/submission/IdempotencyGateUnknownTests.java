package io.idempotent.submission;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.IdempotencyEvent;
import io.idempotent.OutcomeVerifier;
import io.idempotent.OutcomeVerifier.UnknownOperation;
import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.Refusal;
import io.idempotent.WhenUnknown;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.Outcome;
import io.idempotent.submission.FaultyStore.Call;
import io.idempotent.submission.FaultyStore.Fault;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.policy.OperationPolicy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static io.idempotent.submission.TestGate.complete;
import static io.idempotent.submission.TestGate.refused;
import static io.idempotent.submission.TestGate.replayed;
import static io.idempotent.submission.TestGate.submission;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of an operation whose owner fell silent.
 */
class IdempotencyGateUnknownTests {

	private static final OperationPolicy RERUN = TestPolicy.with(WhenUnknown.RERUN);

	private static final OperationPolicy REJECT = TestPolicy.with(WhenUnknown.REJECT);

	private static final OperationPolicy ASK = TestPolicy.with(WhenUnknown.ASK);

	private final List<UnknownOperation> asked = new CopyOnWriteArrayList<>();

	private final AtomicReference<OutcomeVerifier> verifier = new AtomicReference<>((operation) -> Verdict.CANNOT_TELL);

	@AutoClose
	private final TestGate gate = TestGate.that().asks((operation) -> {
		this.asked.add(operation);
		return this.verifier.get().verify(operation);
	}).opens();

	private final Submission submission = submission("order 1");

	private void verdict(Verdict verdict) {
		this.verifier.set((operation) -> verdict);
	}

	private Claim lapsed() {
		Claim silent = this.gate.run(this.submission);
		this.gate.pass(TestPolicy.LEASE);
		return silent;
	}

	@Test
	void aLapsedClaimIsRunAgain() {
		lapsed();
		assertThat(this.gate.run(RERUN, this.submission).attempt()).isEqualTo(2);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.RERUN);
		assertThat(this.asked).isEmpty();
	}

	@Test
	void whoComparesNothingKeepsWhatTheLapsedClaimCompared() {
		lapsed();
		complete(this.gate.run(RERUN, this.submission.with(Fingerprint.of(this.submission.key()))));
		assertThat(this.gate.enter(RERUN, submission("order 1", "other"))).isEqualTo(refused(Refusal.KEY_REUSED));
		assertThat(this.gate.enter(RERUN, this.submission)).isEqualTo(replayed(2));
	}

	@Test
	void anUnknownOutcomeIsForgottenWithTheRetention() {
		lapsed();
		this.gate.pass(TestPolicy.RETENTION.minus(TestPolicy.LEASE));
		this.gate.run(REJECT, this.submission);
	}

	@Test
	void anOwnerThatComesBackToALapsedClaimStillRecordsItsOutcome() {
		complete(lapsed());
		assertThat(this.gate.enter(REJECT, this.submission)).isEqualTo(replayed(1));
	}

	@Test
	void anOutcomeThatIsNotYetRecordedIsUnknownAfterTheLease() {
		List<Decision> repeats = new CopyOnWriteArrayList<>();
		this.gate.store().next(Call.COMPLETE, Fault.UNREACHABLE, Fault.before(() -> {
			this.gate.pass(TestPolicy.LEASE);
			repeats.add(this.gate.enter(REJECT, this.submission));
		}));
		complete(this.gate.run(REJECT, this.submission));
		this.gate.gate().flush();
		assertThat(repeats).containsExactly(refused(Refusal.OUTCOME_UNKNOWN));
		assertThat(this.gate.enter(REJECT, this.submission)).isEqualTo(replayed(1));
	}

	@Test
	void anOwnerThatWasTakenOverRecordsNothing() {
		Claim silent = lapsed();
		Claim successor = this.gate.run(RERUN, this.submission);
		silent.end(End.completed(new Outcome.Stored(new byte[] { 1 })));
		assertThat(silent.isLost()).isTrue();
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
		complete(successor);
		assertThat(this.gate.enter(this.submission)).isEqualTo(replayed(2));
		assertThat(this.gate.told()).startsWith(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.RERUN,
				IdempotencyEvent.Type.CLAIM_LOST);
	}

	@Test
	void anAbandonedClaimIsUnknownAtOnce() {
		this.gate.run(this.submission).end(End.UNKNOWN);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.LEFT_UNKNOWN);
		assertThat(this.gate.enter(REJECT, this.submission)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		this.gate.run(RERUN, this.submission);
	}

	@Test
	void aClaimThatFellSilentIsInProgressUntilItsLeaseLapses() {
		this.gate.run(this.submission).end(End.UNOBSERVED);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.LEFT_UNKNOWN);
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM);
		assertThat(this.gate.enter(REJECT, this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
		this.gate.pass(TestPolicy.LEASE);
		assertThat(this.gate.enter(REJECT, this.submission)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
	}

	@Test
	void whatWasUnknownBeforeARunThatNeverBeganStaysUnknown() {
		lapsed();
		this.gate.attempt(RERUN, this.submission).end(() -> Report.NOT_RUN);
		assertThat(this.gate.enter(REJECT, this.submission)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
	}

	@Test
	void aVerifiedEffectIsNotRunAgain() {
		lapsed();
		verdict(Verdict.HAPPENED);
		assertThat(this.gate.enter(ASK, this.submission)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.COMPLETED,
				IdempotencyEvent.Type.REFUSED);
		assertThat(this.gate.enter(ASK, this.submission)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.asked).hasSize(1);
	}

	@Test
	void aVerifiedEffectWhoseRebuildDoesNotBeginIsNotRunAgain() {
		OperationPolicy policy = ASK.recovering();
		lapsed();
		verdict(Verdict.HAPPENED);
		this.gate.attempt(policy, this.submission).end(() -> Report.NOT_RUN);
		assertThat(this.gate.enter(policy, this.submission)).isEqualTo(new Decision.Recover(null, 2, Duration.ZERO));
		assertThat(this.asked).hasSize(1);
	}

	@Test
	void aRebuildThatIsStillRunningIsLeftToTheNextRepeat() {
		OperationPolicy policy = ASK.recovering();
		lapsed();
		verdict(Verdict.HAPPENED);
		this.gate.attempt(policy, this.submission).end(() -> Report.UNOBSERVED);
		this.gate.pass(policy.lease());
		assertThat(this.gate.enter(policy, this.submission)).isInstanceOfSatisfying(Decision.Recover.class,
				(rebuild) -> assertThat(rebuild.claim()).isNotNull());
	}

	@Test
	void aVerifiedEffectIsRetained() {
		lapsed();
		verdict(Verdict.HAPPENED);
		this.gate.enter(ASK, this.submission);
		this.gate.pass(TestPolicy.RETENTION.minusNanos(1));
		assertThat(this.gate.enter(ASK, this.submission)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
	}

	@Test
	void anEffectVerifiedAsAbsentRuns() {
		lapsed();
		verdict(Verdict.DID_NOT_HAPPEN);
		Claim claim = this.gate.run(ASK, this.submission);
		assertThat(claim.attempt()).isEqualTo(2);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.RERUN);
		complete(claim);
		assertThat(this.gate.enter(ASK, this.submission)).isEqualTo(replayed(2));
	}

	@Test
	void anUndecidedOutcomeStaysUnknownAndIsVerifiedAgain() {
		lapsed();
		assertThat(this.gate.enter(ASK, this.submission)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		assertThat(this.gate.enter(ASK, this.submission)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		assertThat(this.asked).containsExactly(new UnknownOperation(TestPolicy.OPERATION, "order 1", 2),
				new UnknownOperation(TestPolicy.OPERATION, "order 1", 3));
	}

	@Test
	void aNewKeyIsNotVerified() {
		complete(this.gate.run(ASK, this.submission));
		assertThat(this.gate.enter(ASK, this.submission)).isEqualTo(replayed(1));
		assertThat(this.asked).isEmpty();
	}

	static final List<OutcomeVerifier> UNDECIDED = List.of((operation) -> {
		throw new IllegalStateException("The database is away");
	}, (operation) -> {
		throw new NoClassDefFoundError("com/example/Orders");
	}, (operation) -> null);

	@ParameterizedTest
	@FieldSource("UNDECIDED")
	void aVerifierThatThrowsIsUndecided(OutcomeVerifier undecided) {
		lapsed();
		this.verifier.set(undecided);
		assertThat(this.gate.enter(ASK, this.submission)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		verdict(Verdict.DID_NOT_HAPPEN);
		this.gate.run(ASK, this.submission);
	}

	@Test
	void withoutAVerifierTheOutcomeStaysUnknown() {
		try (TestGate dumb = TestGate.opened()) {
			dumb.run(this.submission).end(End.UNKNOWN);
			assertThat(dumb.enter(ASK, this.submission)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		}
	}

	@Test
	void whileTheVerifierIsAskedTheOperationIsInProgress() {
		lapsed();
		AtomicReference<Decision> meanwhile = new AtomicReference<>();
		this.verifier.set((operation) -> {
			meanwhile.set(this.gate.enter(ASK, this.submission));
			return Verdict.DID_NOT_HAPPEN;
		});
		this.gate.run(ASK, this.submission);
		assertThat(meanwhile).hasValue(refused(Refusal.IN_PROGRESS));
		assertThat(this.asked).hasSize(1);
	}

	@Test
	void aVerdictThatCouldNotBeRecordedIsRecordedLater() {
		lapsed();
		verdict(Verdict.HAPPENED);
		this.gate.store().next(Call.COMPLETE, Fault.UNREACHABLE);
		assertThat(this.gate.enter(ASK, this.submission)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		this.gate.gate().flush();
		assertThat(this.gate.enter(ASK, this.submission)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.asked).hasSize(1);
	}

}

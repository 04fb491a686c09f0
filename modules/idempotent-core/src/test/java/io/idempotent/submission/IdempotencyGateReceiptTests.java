package io.idempotent.submission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import io.idempotent.IdempotencyEvent;
import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.submission.FaultyStore.Call;
import io.idempotent.submission.FaultyStore.Fault;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.GateListener;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.submission.receipt.AttemptReceipt;
import io.idempotent.submission.receipt.Receipts;
import io.idempotent.transaction.TransactionScope;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.idempotent.submission.TestGate.complete;
import static io.idempotent.submission.TestGate.refused;
import static io.idempotent.submission.TestGate.replayed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the guarded database has to say, and what becomes of operations of which it knows
 * more than the store.
 */
@ExtendWith(OutputCaptureExtension.class)
class IdempotencyGateReceiptTests {

	private static final OperationPolicy RERUN = TestPolicy.receipts();

	private static final OperationPolicy REJECT = TestPolicy.receipts(WhenUnknown.REJECT);

	private static final Submission ORDER = TestGate.submission("order");

	private static final Owner OWNER = new Owner(1, 2);

	static final List<Report> WITHOUT_EFFECT = List.of(Report.FAILED, Report.NO_EFFECT);

	private final Ledger ledger = new Ledger();

	@AutoClose
	private final TestGate gate = TestGate.that().proves(this.ledger).opens();

	@Test
	void aFreshClaimAsksForNoReceipt() {
		this.gate.run(RERUN, ORDER);
		assertThat(this.ledger.asked).isZero();
	}

	@ParameterizedTest
	@EnumSource(value = WhenUnknown.class, names = "DEFAULT", mode = EnumSource.Mode.EXCLUDE)
	void anUnknownOutcomeWithAReceiptIsNeverRunAgain(WhenUnknown policy) {
		lapse(TestPolicy.receipts(policy));
		this.ledger.receipts.put(ORDER.key(), Outcome.TOMBSTONE);
		assertThat(this.gate.enter(TestPolicy.receipts(policy), ORDER))
			.isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.ledger.asked).isOne();
		this.ledger.receipts.clear();
		assertThat(this.gate.enter(TestPolicy.receipts(policy), ORDER)).as("remembered by the store from then on")
			.isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
	}

	@Test
	void aReceiptAnswersAlsoIfTheStoreFailsMeanwhile() {
		OperationPolicy policy = TestPolicy.receipts(WhenUnknown.REJECT, WhenStoreFails.PROCEED);
		lapse(policy);
		this.ledger.receipts.put(ORDER.key(), TestGate.ANSWER);
		this.gate.store().next(Call.CLAIM, Fault.NONE, Fault.UNREACHABLE, Fault.UNREACHABLE);
		assertThat(this.gate.enter(policy, ORDER)).isEqualTo(replayed(0));
	}

	@Test
	void aReceiptAnswersForATokenWhoseRecordIsLost() {
		Submission token = TestGate.withToken("order");
		assertThat(this.gate.enter(RERUN, token)).isEqualTo(refused(Refusal.TOKEN_UNKNOWN));
		assertThat(this.ledger.asked).isOne();
		this.ledger.receipts.put(token.key(), Outcome.TOMBSTONE);
		assertThat(this.gate.enter(RERUN, token)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.gate.enter(RERUN.recovering(), token)).isEqualTo(new Decision.Recover(null, 0, Duration.ZERO));
		this.ledger.fingerprint = TestGate.submission("order", "other").fingerprint();
		assertThat(this.gate.enter(RERUN, token)).isEqualTo(refused(Refusal.KEY_REUSED));
	}

	@Test
	void aListenerThatFailsKeepsNoClaim() {
		GateListener failing = new GateListener() {
			@Override
			public void onReceipt(ReceiptEvent event) {
				throw new IllegalStateException(event.name());
			}

			@Override
			public void onStoreCall(StoreCall call, StoreResult result, long nanos) {
				throw new IllegalStateException(call.name());
			}
		};
		try (TestGate heard = TestGate.that().proves(this.ledger).tells(failing).opens()) {
			heard.run(RERUN, ORDER).end(End.UNKNOWN);
			this.ledger.receipts.put(ORDER.key(), TestGate.ANSWER);
			assertThat(heard.enter(RERUN, ORDER)).isEqualTo(replayed(2));
		}
	}

	@Test
	void anOutcomeStoredWithTheReceiptIsReplayed() {
		lapse(RERUN);
		this.ledger.receipts.put(ORDER.key(), TestGate.ANSWER);
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(replayed(2));
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(replayed(2));
	}

	@Test
	void anAnswerThatMayBeRebuiltIsRebuiltUnderAClaim() {
		OperationPolicy policy = RERUN.recovering();
		lapse(policy);
		this.ledger.receipts.put(ORDER.key(), Outcome.TOMBSTONE);
		Decision.Recover recover = (Decision.Recover) this.gate.enter(policy, ORDER);
		assertThat(this.gate.enter(policy, ORDER)).isEqualTo(refused(Refusal.IN_PROGRESS));
		complete(recover.claim());
		assertThat(this.gate.enter(policy, ORDER)).isEqualTo(replayed(2));
	}

	@Test
	void aFailedRebuildDoesNotReleaseTheOperation() {
		OperationPolicy policy = RERUN.recovering();
		lapse(policy);
		this.ledger.receipts.put(ORDER.key(), Outcome.TOMBSTONE);
		this.gate.attempt(policy, ORDER).end(() -> Report.NO_EFFECT);
		assertThat(this.gate.enter(policy, ORDER)).isEqualTo(new Decision.Recover(null, 2, Duration.ZERO));
	}

	@Test
	void anUnknownOutcomeWithoutAReceiptIsLeftToThePolicy() {
		lapse(RERUN);
		assertThat(this.gate.enter(REJECT, ORDER)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		assertThat(this.gate.enter(RERUN, ORDER)).isInstanceOf(Decision.Run.class);
		assertThat(this.ledger.asked).isEqualTo(2);
	}

	@Test
	void rejectedRepeatsLeaveAnUnknownClaimToItsOwner() {
		Claim slow = this.gate.run(REJECT, ORDER);
		this.gate.pass(TestPolicy.LEASE.plusSeconds(1));
		assertThat(this.gate.enter(REJECT, ORDER)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		slow.receipt().markCommitted(TestGate.ANSWER);
		complete(slow);
		assertThat(this.gate.enter(REJECT, ORDER)).isEqualTo(replayed(1));
		assertThat(this.gate.told()).doesNotContain(IdempotencyEvent.Type.CLAIM_LOST);
	}

	@Test
	void rejectedRepeatsOfAnUnknownOutcomeExtendNothing() {
		this.gate.run(REJECT, ORDER).end(End.UNKNOWN);
		this.gate.pass(TestPolicy.RETENTION.dividedBy(2));
		assertThat(this.gate.enter(REJECT, ORDER)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		this.gate.pass(TestPolicy.RETENTION.dividedBy(2).plusSeconds(1));
		this.gate.run(REJECT, ORDER);
	}

	@ParameterizedTest
	@FieldSource("WITHOUT_EFFECT")
	void whatAnotherAttemptCommittedIsNotReleased(Report report) {
		DecidedSubmission attempt = this.gate.attempt(RERUN, ORDER);
		this.ledger.receipts.put(ORDER.key(), TestGate.ANSWER);
		attempt.end(() -> report);
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(replayed(1));
	}

	@Test
	void aRunNeverInDoubtIsReleasedWithoutTheDatabase() {
		DecidedSubmission attempt = this.gate.attempt(REJECT, ORDER);
		this.ledger.away = true;
		attempt.end(() -> Report.FAILED);
		this.gate.run(REJECT, ORDER);
	}

	@Test
	void anUnverifiableCommitInDoubtLeavesTheOutcomeUnknown(CapturedOutput output) {
		DecidedSubmission attempt = this.gate.attempt(REJECT, ORDER);
		attempt.decision().receipt().markInDoubt();
		this.ledger.away = true;
		attempt.decision().receipt().findEarlierEffect();
		attempt.end(() -> Report.FAILED);
		assertThat(output.getAll().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.contains("(key " + ORDER.key() + ") could not be looked up", "unknown until a repeat finds the receipt",
					"(away)");
		assertThat(output).doesNotContain("\tat ");
		assertThat(this.gate.enter(REJECT, ORDER)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
	}

	@Test
	void theReceiptResolvesACommitInDoubt() {
		DecidedSubmission committed = inDoubt(ORDER);
		this.ledger.receipts.put(ORDER.key(), TestGate.ANSWER);
		committed.end(() -> Report.FAILED);
		assertThat(this.gate.enter(REJECT, ORDER)).isEqualTo(replayed(1));
		Submission other = TestGate.submission("other");
		inDoubt(other).end(() -> Report.FAILED);
		this.gate.run(REJECT, other);
	}

	@Test
	void theReceiptOfADoubtOutweighsAReportOfNoEffect() {
		DecidedSubmission attempt = this.gate.attempt(RERUN, ORDER);
		attempt.decision().receipt().markInDoubt();
		this.ledger.receipts.put(ORDER.key(), TestGate.ANSWER);
		attempt.end(() -> Report.NO_EFFECT);
		assertThat(this.ledger.withdrawn).isEmpty();
		assertThat(attempt.decision().claim().proven()).isEqualTo(TestGate.ANSWER);
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(replayed(1));
	}

	@Test
	void aRunReportedWithoutEffectIsReleasedIfItsCommitFailed() {
		DecidedSubmission attempt = this.gate.attempt(RERUN, ORDER);
		attempt.decision().receipt().markInDoubt();
		attempt.end(() -> Report.NO_EFFECT);
		assertThat(attempt.decision().claim().proven()).isNull();
		this.gate.run(RERUN, ORDER);
	}

	@Test
	void anErrorOfARunWithoutAnEffectIsReplayed() {
		DecidedSubmission attempt = this.gate.attempt(RERUN, ORDER);
		attempt.end(() -> Report.error(TestGate.ANSWER, false));
		assertThat(end(attempt)).isEqualTo(End.Kind.ERROR);
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(replayed(1));
	}

	@Test
	void anErrorIsNotRecordedInPlaceOfAnEffect() {
		DecidedSubmission attempt = this.gate.attempt(RERUN, ORDER);
		attempt.decision().receipt().markInDoubt();
		this.ledger.receipts.put(ORDER.key(), Outcome.TOMBSTONE);
		attempt.end(() -> Report.error(TestGate.ANSWER, false));
		assertThat(end(attempt)).isNotEqualTo(End.Kind.ERROR);
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
	}

	@Test
	void anErrorIsNotRecordedWhileACommitMayStillArrive() {
		DecidedSubmission attempt = this.gate.attempt(RERUN, ORDER);
		attempt.decision().receipt().markInDoubt();
		attempt.end(() -> Report.error(TestGate.ANSWER, false));
		assertThat(end(attempt)).isNotEqualTo(End.Kind.ERROR);
		this.gate.run(RERUN, ORDER);
	}

	@Test
	void anErrorIsNotRecordedWhileTheCommitIsUnverifiable() {
		DecidedSubmission attempt = this.gate.attempt(REJECT, ORDER);
		attempt.decision().receipt().markInDoubt();
		this.ledger.away = true;
		attempt.end(() -> Report.error(TestGate.ANSWER, true));
		assertThat(this.gate.enter(REJECT, ORDER)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
	}

	@Test
	void aFailedRunIsADuplicateOfWhatAnotherAttemptHasCommitted() {
		DecidedSubmission attempt = attempt();
		this.ledger.receipts.put(ORDER.key(), TestGate.ANSWER);
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> attempt.run((kept) -> null, () -> {
			throw new IllegalStateException("a unique key");
		}));
	}

	@Test
	void aFailedRunWithoutAReceiptIsLookedUpOnce() {
		DecidedSubmission attempt = attempt();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> attempt.run((kept) -> null, () -> {
			throw new IllegalStateException("planned");
		}));
		attempt.end(() -> Report.FAILED);
		assertThat(this.ledger.asked).isOne();
	}

	@Test
	void anErrorIsNotReplayedIfAReceiptWasCommittedAfterIt() {
		complete(this.gate.run(ORDER));
		this.ledger.receipts.put(ORDER.key(), Outcome.TOMBSTONE);
		int before = this.gate.events().size();
		assertThat(TestGate.untimed(this.gate.gate()
			.enter(Entrance.HTTP, new SubmissionContext(RERUN), ORDER, (answer) -> true)
			.decision())).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.gate.told().subList(before, this.gate.events().size()))
			.containsExactly(IdempotencyEvent.Type.REFUSED);
	}

	private DecidedSubmission attempt() {
		return this.gate.attempt(RERUN, ORDER);
	}

	private DecidedSubmission inDoubt(Submission submission) {
		DecidedSubmission attempt = this.gate.attempt(REJECT, submission);
		attempt.decision().receipt().markInDoubt();
		return attempt;
	}

	private static End.Kind end(DecidedSubmission attempt) {
		return attempt.decision().claim().ended().kind();
	}

	@Test
	void aLateAnswerIsRecordedInTheBackground() {
		OperationPolicy policy = RERUN;
		Claim slow = this.gate.run(policy, ORDER);
		slow.receipt().markCommitted(Outcome.TOMBSTONE);
		this.ledger.receipts.put(ORDER.key(), Outcome.TOMBSTONE);
		this.gate.store().goDown();
		complete(slow);
		this.gate.pass(TestPolicy.LEASE.plusSeconds(1));
		this.gate.store().comeBack();
		assertThat(this.gate.enter(policy, ORDER)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		this.gate.gate().flush();
		assertThat(this.gate.told()).containsOnlyOnce(IdempotencyEvent.Type.CLAIM_LOST);
		assertThat(this.gate.enter(policy, ORDER)).isEqualTo(replayed(2));
	}

	@Test
	void theCommittedAttemptReplacesATombstoneOfItsSuccessor() {
		OperationPolicy policy = RERUN;
		Claim slow = this.gate.run(policy, ORDER);
		this.gate.pass(TestPolicy.LEASE.plusSeconds(1));
		DecidedSubmission successor = attempt();
		slow.receipt().markCommitted(Outcome.TOMBSTONE);
		this.ledger.receipts.put(ORDER.key(), Outcome.TOMBSTONE);
		successor.decision().receipt().markEarlierEffect();
		successor.end(() -> Report.FAILED);
		assertThat(this.gate.enter(policy, ORDER)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		complete(slow);
		assertThat(this.gate.enter(policy, ORDER)).isEqualTo(replayed(2));
	}

	@Test
	void aRefusedSuccessorFindsTheUnrecordedAnswer() {
		OperationPolicy policy = RERUN;
		Claim slow = this.gate.run(policy, ORDER);
		this.gate.pass(TestPolicy.LEASE.plusSeconds(1));
		DecidedSubmission successor = attempt();
		slow.receipt().markCommitted(Outcome.TOMBSTONE);
		complete(slow);
		successor.decision().receipt().markEarlierEffect();
		successor.end(() -> Report.FAILED);
		assertThat(this.gate.enter(policy, ORDER)).isEqualTo(replayed(2));
	}

	@Test
	void anEffectOfAnotherAttemptIsRecordedWithItsOutcome() {
		DecidedSubmission attempt = attempt();
		this.ledger.receipts.put(ORDER.key(), TestGate.ANSWER);
		attempt.decision().receipt().markEarlierEffect();
		attempt.end(() -> Report.FAILED);
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(replayed(1));
	}

	@Test
	void theVerifierIsAskedIfThereIsNoReceipt() {
		try (TestGate asking = TestGate.that().proves(this.ledger).asks((operation) -> Verdict.HAPPENED).opens()) {
			OperationPolicy policy = TestPolicy.receipts(WhenUnknown.ASK);
			asking.run(policy, ORDER).end(End.UNKNOWN);
			assertThat(asking.enter(policy, ORDER)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		}
	}

	@ParameterizedTest
	@EnumSource(value = WhenUnknown.class, names = { "RERUN", "ASK" })
	void anUnknownOutcomeIsNotRunAgainWhileItsReceiptCannotBeLookedUp(WhenUnknown policy) {
		lapse(TestPolicy.receipts(policy));
		this.ledger.away = true;
		for (int i = 0; i < 2; i++) {
			assertThat(this.gate.enter(TestPolicy.receipts(policy), ORDER))
				.isEqualTo(refused(Refusal.STORE_UNAVAILABLE));
		}
		this.ledger.away = false;
		this.ledger.receipts.put(ORDER.key(), TestGate.ANSWER);
		assertThat(this.gate.enter(TestPolicy.receipts(policy), ORDER)).isEqualTo(replayed(4));
	}

	@Test
	void anUnexpectedExceptionOfReceiptsLeavesNoClaimBehind() {
		lapse(REJECT);
		this.ledger.broken = true;
		assertThat(this.gate.enter(REJECT, ORDER)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		assertThat(this.gate.enter(REJECT, ORDER)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
	}

	@Test
	void anErrorOfReceiptsLeavesNoClaimBehind() {
		lapse(RERUN);
		this.ledger.error = new NoClassDefFoundError("a driver of another version");
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(refused(Refusal.STORE_UNAVAILABLE));
		this.ledger.error = null;
		assertThat(this.gate.enter(RERUN, ORDER)).isInstanceOf(Decision.Run.class);
	}

	@Test
	void anErrorOfReceiptsDoesNotPreventTheEndOfAClaim() {
		for (Report report : List.of(Report.FAILED, Report.UNKNOWN, Report.NO_EFFECT, Report.NOT_RUN)) {
			Submission order = TestGate.submission("order " + UUID.randomUUID());
			DecidedSubmission attempt = this.gate.attempt(RERUN, order);
			attempt.decision().receipt().markInDoubt();
			this.ledger.error = new NoClassDefFoundError("a driver of another version");
			attempt.end(() -> report);
			this.ledger.error = null;
			Decision next = this.gate.enter(RERUN, order);
			assertThat(next).isNotEqualTo(refused(Refusal.IN_PROGRESS));
		}
	}

	@Test
	void anOperationThatLeavesNoReceiptIsNotLookedUp() {
		this.gate.run(ORDER).end(End.UNKNOWN);
		this.gate.run(ORDER);
		assertThat(this.ledger.asked).isZero();
	}

	@Test
	void aFailureAfterTheCommitIsRecordedAsCompleted() {
		DecidedSubmission attempt = this.gate.attempt(RERUN, ORDER);
		attempt.decision().receipt().markCommitted(Outcome.TOMBSTONE);
		attempt.end(() -> Report.FAILED);
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.gate.told()).contains(IdempotencyEvent.Type.COMPLETED);
	}

	@Test
	void aRunReportedWithoutEffectWithdrawsItsReceipt() {
		DecidedSubmission attempt = this.gate.attempt(RERUN, ORDER);
		attempt.decision().receipt().markCommitted(Outcome.TOMBSTONE);
		attempt.end(() -> Report.NO_EFFECT);
		assertThat(this.ledger.withdrawn).containsExactly(ORDER.key());
		this.gate.run(RERUN, ORDER);
	}

	@Test
	void aRunThatHasEndedWithdrawsNoReceipt() {
		DecidedSubmission attempt = attempt();
		attempt.decision().receipt().markCommitted(Outcome.TOMBSTONE);
		attempt.end(() -> Report.effect(TestGate.ANSWER));
		attempt.end(() -> Report.NO_EFFECT);
		assertThat(this.ledger.withdrawn).isEmpty();
	}

	@Test
	void anEffectThatCannotBeRebuiltIsRecordedAsCompleted() {
		DecidedSubmission attempt = attempt();
		attempt.decision().receipt().markCommitted(Outcome.TOMBSTONE);
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> attempt.<RuntimeException>run((kept) -> null, () -> "never"));
		attempt.end(() -> Report.NO_EFFECT);
		assertThat(this.ledger.withdrawn).isEmpty();
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
	}

	@Test
	void aTaskOfADuplicateSaysWhyItFailed() {
		DecidedSubmission attempt = attempt();
		IllegalStateException failure = new IllegalStateException("a unique key");
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> attempt.context().<String>wrap(() -> {
				attempt.decision().receipt().markEarlierEffect();
				throw failure;
			}).call())
			.withCause(failure);
	}

	@Test
	void nothingIsRebuiltForDuplicatesThatAreRejected() {
		OperationPolicy policy = TestPolicy.receipts(WhenCompleted.REJECT).recovering();
		lapse(policy);
		this.ledger.receipts.put(ORDER.key(), Outcome.TOMBSTONE);
		assertThat(this.gate.enter(policy, ORDER)).isEqualTo(refused(Refusal.DUPLICATE));
	}

	@Test
	void aReceiptThatCannotBeWithdrawnCounts() {
		DecidedSubmission attempt = this.gate.attempt(RERUN, ORDER);
		attempt.decision().receipt().markCommitted(Outcome.TOMBSTONE);
		this.ledger.away = true;
		attempt.end(() -> Report.NO_EFFECT);
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
	}

	@Test
	void theReceiptOfAnotherAttemptIsNotWithdrawn() {
		DecidedSubmission attempt = this.gate.attempt(RERUN, ORDER);
		attempt.decision().receipt().markEarlierEffect();
		attempt.end(() -> Report.NO_EFFECT);
		assertThat(this.ledger.withdrawn).isEmpty();
		assertThat(this.gate.enter(RERUN, ORDER)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
	}

	@Test
	void aRunWithoutTheStoreHasAnEffectOfItsOwn() {
		this.gate.store().goDown();
		AttemptReceipt first = this.gate.enter(TestPolicy.receipts(WhenStoreFails.PROCEED), ORDER).receipt();
		AttemptReceipt second = this.gate.enter(TestPolicy.receipts(WhenStoreFails.PROCEED), ORDER).receipt();
		assertThat(first.claimId().key()).isEqualTo(second.claimId().key()).isEqualTo(ORDER.key());
		assertThat(first.claimId().owner()).isNotEqualTo(second.claimId().owner());
		assertThat(first.claimId().attempt()).isZero();
	}

	private void lapse(OperationPolicy policy) {
		this.gate.run(policy, ORDER).end(End.UNKNOWN);
		this.ledger.asked = 0;
	}

	/**
	 * Receipts as a test wants them; those of real databases have a contract of their
	 * own.
	 */
	private static final class Ledger implements Receipts {

		private final Map<OperationKey, Outcome> receipts = new HashMap<>();

		private final List<OperationKey> withdrawn = new ArrayList<>();

		private Fingerprint fingerprint;

		private int asked;

		private boolean away;

		private boolean broken;

		private Error error;

		@Override
		public Duration retention() {
			return Duration.ofDays(30);
		}

		@Override
		public <T, X extends Throwable> T execute(AttemptReceipt receipt, ThrowingSupplier<T, X> work) throws X {
			return work.get();
		}

		@Override
		public TransactionScope.Point join(AttemptReceipt receipt) {
			return null;
		}

		@Override
		public Optional<Receipt> find(OperationKey key) {
			this.asked++;
			requirePresent();
			if (this.broken) {
				throw new IllegalStateException("broken");
			}
			return Optional.ofNullable(this.receipts.get(key))
				.map((outcome) -> new Receipt(OWNER, 1, outcome, this.fingerprint, Duration.ZERO));
		}

		@Override
		public void addOutcome(AttemptReceipt receipt, Outcome outcome) {
			requirePresent();
			this.receipts.put(receipt.claimId().key(), outcome);
		}

		@Override
		public void withdraw(AttemptReceipt receipt) {
			requirePresent();
			this.withdrawn.add(receipt.claimId().key());
		}

		private void requirePresent() {
			if (this.error != null) {
				throw this.error;
			}
			if (this.away) {
				throw new StoreUnavailableException("away", null);
			}
		}

	}

}

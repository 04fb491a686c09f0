package io.idempotent.submission;

import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.submission.FaultyStore.Call;
import io.idempotent.submission.FaultyStore.Fault;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.submission.policy.OperationPolicy;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A process that stands still after its claim, and goes on when its lease has ended.
 */
@Execution(ExecutionMode.CONCURRENT)
class DecidedSubmissionTests {

	private static final OperationPolicy POLICY = TestPolicy.lease(Duration.ofSeconds(1), WhenUnknown.REJECT,
			WhenFailed.UNKNOWN);

	private static final Submission SUBMISSION = TestGate.submission("1");

	@AutoClose
	private final TestGate gate = TestGate.opened();

	private final DecidedSubmission attempt = this.gate.gate()
		.enter(Entrance.METHOD, new SubmissionContext(POLICY), SUBMISSION, (answer) -> false);

	private final AtomicInteger runs = new AtomicInteger();

	@Test
	void anOperationDoesNotBeginAfterItsLease() {
		standStill();
		refused(() -> this.attempt.run((kept) -> null, this.runs::incrementAndGet));
		assertThat(this.runs).hasValue(0);
	}

	@Test
	void anOperationBeginsIfTheStoreStillRenewsItsLease() {
		standStill();
		this.gate.store().comeBack();
		this.attempt.run((kept) -> null, this.runs::incrementAndGet);
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void aPartOfItDoesNotBeginAfterItsLease() {
		this.attempt.run((kept) -> null, this.runs::incrementAndGet);
		standStill();
		refused(() -> this.attempt.resume((kept) -> null, this.runs::incrementAndGet));
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void aRetriedBodyDoesNotBeginAfterTheLease() {
		refused(() -> this.attempt.run((kept) -> null, () -> {
			this.attempt.targetBegins();
			standStill();
			this.attempt.targetBegins();
			return this.runs.incrementAndGet();
		}));
		assertThat(this.runs).hasValue(0);
	}

	@Test
	void whatNeverBeganLeavesItsKeyFree() {
		standStill();
		refused(() -> this.attempt.run((kept) -> null, this.runs::incrementAndGet));
		assertThat(repeatAfter(Report.FAILED)).isInstanceOf(Decision.Run.class);
	}

	@Test
	void aRefusedRetryDoesNotSayThatThereIsNoEffect() {
		refused(() -> this.attempt.run((kept) -> null, () -> {
			this.attempt.targetBegins();
			standStill();
			return this.attempt.run((kept) -> null, this.runs::incrementAndGet);
		}));
		assertThat(repeatAfter(Report.NO_EFFECT)).isEqualTo(TestGate.refused(Refusal.OUTCOME_UNKNOWN));
	}

	@Test
	void anErrorThatIsNotStoredIsNotRecordedAsCarriedOut() {
		this.attempt.run((kept) -> null, this.runs::incrementAndGet);
		assertThat(repeatAfter(Report.error(Outcome.TOMBSTONE, true))).isInstanceOf(Decision.Run.class);
	}

	@Test
	void whenFailedDecidesOnAFailureThatIsNotStored() {
		this.attempt.run((kept) -> null, this.runs::incrementAndGet);
		assertThat(repeatAfter(Report.error(Outcome.TOMBSTONE, false)))
			.isEqualTo(TestGate.refused(Refusal.OUTCOME_UNKNOWN));
	}

	@Test
	void aClaimOfAnotherIsInProgress() throws Exception {
		standStill();
		this.gate.pass(POLICY.lease());
		try (IdempotencyGate other = new IdempotencyGate.Builder(this.gate.records()).build()) {
			TestGate.decide(other, TestPolicy.lease(POLICY.lease()), SUBMISSION);
			this.gate.store().comeBack();
			refused(Refusal.IN_PROGRESS, () -> this.attempt.run((kept) -> null, this.runs::incrementAndGet));
		}
	}

	@Test
	void theStoreIsNotAskedInATransaction() {
		Set<Thread> asking = ConcurrentHashMap.newKeySet();
		Fault fault = Fault.before(() -> {
			asking.add(Thread.currentThread());
			throw new StoreUnavailableException("The store is down", null);
		});
		this.attempt.run((kept) -> null, () -> {
			this.gate.store().next(Call.RENEW, Collections.nCopies(1000, fault).toArray(Fault[]::new));
			await().until(this.attempt.context()::isClaimLost);
			TransactionSynchronizationManager.setActualTransactionActive(true);
			refused(this.attempt::targetBegins);
			TransactionSynchronizationManager.setActualTransactionActive(false);
			assertThat(asking).isNotEmpty().doesNotContain(Thread.currentThread());
			refused(this.attempt::targetBegins);
			assertThat(asking).contains(Thread.currentThread());
			return null;
		});
	}

	@Test
	void aRetryThatSucceedsIsNotObservedAsRefused() {
		this.attempt.context()
			.observeThrown(new SubmissionRefusedException(Refusal.STORE_UNAVAILABLE, POLICY.operation()));
		assertThat(this.attempt.context().outcome()).isEqualTo(Refusal.STORE_UNAVAILABLE.code());
		this.attempt.run((kept) -> null, this.runs::incrementAndGet);
		this.attempt.context().observeThrown(null);
		this.attempt.end(() -> Report.effect(TestGate.ANSWER));
		assertThat(this.attempt.context().outcome()).isEqualTo(SubmissionOutcome.RUN.code());
	}

	@AfterEach
	void clear() {
		TransactionSynchronizationManager.clear();
	}

	private Decision repeatAfter(Report report) {
		this.gate.store().comeBack();
		this.attempt.end(() -> report);
		return this.gate.enter(POLICY, SUBMISSION);
	}

	private void standStill() {
		this.gate.store().goDown();
		await().until(this.attempt.context()::isClaimLost);
	}

	private static void refused(ThrowingCallable code) {
		refused(Refusal.STORE_UNAVAILABLE, code);
	}

	private static void refused(Refusal reason, ThrowingCallable code) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(code)
			.extracting(SubmissionRefusedException::refusal)
			.isEqualTo(reason);
	}

}

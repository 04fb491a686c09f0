package io.idempotent.submission;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.Refusal;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.store.ClaimRequest;
import io.idempotent.submission.FaultyStore.Call;
import io.idempotent.submission.FaultyStore.Fault;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.policy.OperationPolicy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.idempotent.submission.TestGate.claim;
import static io.idempotent.submission.TestGate.complete;
import static io.idempotent.submission.TestGate.refused;
import static io.idempotent.submission.TestGate.replayed;
import static io.idempotent.submission.TestGate.submission;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What duplicates that wait get.
 */
class IdempotencyGateWaitTests {

	/** Longer than any test should take. */
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final OperationPolicy PATIENT = TestPolicy.waiting(TestPolicy.LEASE, PATIENCE);

	private static final OperationPolicy HASTY = TestPolicy.waiting(TestPolicy.LEASE, Duration.ofMillis(30));

	@AutoClose("shutdownNow")
	private final ExecutorService callers = Executors.newCachedThreadPool();

	private final Submission submission = submission("order 1");

	private static TestGate gate(boolean pushes) {
		TestGate.Options options = TestGate.that();
		return pushes ? options.opens() : options.polls().opens();
	}

	/** A duplicate that has looked at least once since it began to wait. */
	private Future<Decision> waiter(TestGate gate, OperationPolicy policy) {
		long before = gate.store().count(Call.CLAIM);
		Future<Decision> waiter = this.callers.submit(() -> gate.enter(policy, this.submission));
		await().until(() -> gate.store().count(Call.CLAIM) >= before + 2);
		return waiter;
	}

	private static Decision result(Future<Decision> waiter)
			throws InterruptedException, ExecutionException, TimeoutException {
		return waiter.get(30, TimeUnit.SECONDS);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aWaiterGetsTheAnswerOfTheRunningOperation(boolean pushes) throws Exception {
		try (TestGate gate = gate(pushes)) {
			Claim claim = gate.run(this.submission);
			Future<Decision> first = waiter(gate, PATIENT);
			Future<Decision> second = waiter(gate, PATIENT);
			complete(claim);
			assertThat(result(first)).isEqualTo(replayed(1));
			assertThat(result(second)).isEqualTo(replayed(1));
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void oneWaiterRunsAReleasedOperationAndTheOthersGetItsAnswer(boolean pushes) throws Exception {
		try (TestGate gate = gate(pushes)) {
			Claim claim = gate.run(this.submission);
			Future<Decision> first = waiter(gate, PATIENT);
			Future<Decision> second = waiter(gate, PATIENT);
			claim.end(End.RELEASED);
			await().until(() -> first.isDone() || second.isDone());
			Future<Decision> winner = first.isDone() ? first : second;
			Future<Decision> other = first.isDone() ? second : first;
			Claim granted = claim(result(winner));
			assertThat(granted.isLost()).isFalse();
			assertThat(other).isNotDone();
			complete(granted);
			assertThat(result(other)).isInstanceOf(Decision.Replay.class);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "RERUN", "REJECT" })
	void aWaiterForADeadOwnerGetsAnUnknownOutcome(WhenUnknown whenUnknown) throws Exception {
		try (TestGate gate = gate(true)) {
			Claim claim = gate.run(this.submission);
			Future<Decision> waiter = waiter(gate, TestPolicy.waiting(TestPolicy.LEASE, PATIENCE, whenUnknown));
			claim.end(End.UNOBSERVED);
			gate.pass(TestPolicy.LEASE);
			Decision met = result(waiter);
			if (whenUnknown == WhenUnknown.REJECT) {
				assertThat(met).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
			}
			else {
				assertThat(claim(met).attempt()).isEqualTo(2);
			}
		}
	}

	@Test
	void theNumberOfWaitersIsBounded() throws Exception {
		try (TestGate gate = TestGate.that().seats(1).opens()) {
			Claim claim = gate.run(this.submission);
			Future<Decision> waiter = waiter(gate, PATIENT);
			assertThat(gate.enter(PATIENT, this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
			assertThat(waiter).isNotDone();
			complete(claim);
			assertThat(result(waiter)).isEqualTo(replayed(1));
		}
	}

	@Test
	void onlyWaitersSubscribe() {
		try (TestGate gate = gate(true)) {
			gate.run(this.submission);
			gate.enter(this.submission);
			gate.enter(HASTY, this.submission);
			assertThat(gate.store().requests().subList(0, 3)).noneMatch(ClaimRequest::listening);
			assertThat(gate.store().requests().subList(3, 5)).allMatch(ClaimRequest::listening);
			assertThat(gate.store().requests().subList(2, 5)).extracting(ClaimRequest::owner)
				.containsOnly(gate.store().requests().get(2).owner());
		}
	}

	@Test
	void anInterruptedWaiterIsRefusedAndStaysInterrupted() throws Exception {
		try (TestGate gate = gate(true)) {
			gate.run(this.submission);
			CompletableFuture<Boolean> flag = new CompletableFuture<>();
			CompletableFuture<Decision> decision = new CompletableFuture<>();
			Thread waiter = new Thread(() -> {
				decision.complete(gate.enter(PATIENT, this.submission));
				flag.complete(Thread.currentThread().isInterrupted());
			});
			waiter.start();
			await().until(() -> gate.store().count(Call.CLAIM) >= 3);
			waiter.interrupt();
			assertThat(result(decision)).isEqualTo(refused(Refusal.IN_PROGRESS));
			assertThat(flag.get(30, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void aSubmissionWithOtherContentDoesNotWait() {
		try (TestGate gate = gate(true)) {
			gate.run(this.submission);
			assertThat(gate.enter(PATIENT, submission("order 1", "else"))).isEqualTo(refused(Refusal.KEY_REUSED));
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void aStoreFailureDuringAWaitStartsNoSecondRun(WhenStoreFails whenStoreFails) {
		try (TestGate gate = gate(true)) {
			gate.run(this.submission);
			gate.store().next(Call.CLAIM, Fault.NONE, Fault.UNREACHABLE, Fault.UNREACHABLE);
			assertThat(gate.enter(TestPolicy.waiting(TestPolicy.LEASE, PATIENCE, whenStoreFails), this.submission))
				.isEqualTo(refused(Refusal.STORE_UNAVAILABLE));
		}
	}

	@Test
	void theLeaseOfAClaimAfterAWaitStartsBeforeItsRequest() {
		Duration lease = Duration.ofMillis(50);
		OperationPolicy policy = TestPolicy.waiting(lease, PATIENCE);
		try (TestGate gate = gate(true)) {
			Claim first = gate.run(this.submission);
			gate.store()
				.next(Call.CLAIM, Fault.NONE, Fault.before(() -> first.end(End.RELEASED)).andAfter(() -> pass(lease)))
				.next(Call.RENEW, Collections.nCopies(1_000, Fault.UNREACHABLE).toArray(Fault[]::new));
			assertThat(claim(gate.enter(policy, this.submission)).isLost()).isTrue();
		}
	}

	/** A reply that takes long: nothing but time goes by. */
	private static void pass(Duration time) {
		long start = System.nanoTime();
		await().pollInterval(Duration.ofMillis(10)).until(() -> System.nanoTime() - start > time.toNanos());
	}

}

package io.idempotent.submission;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.idempotent.IdempotencyEvent;
import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.submission.FaultyStore.Call;
import io.idempotent.submission.FaultyStore.Fault;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.GateListener;
import io.idempotent.submission.event.GateListener.StoreCall;
import io.idempotent.submission.event.IdempotencyListeners;
import io.idempotent.submission.event.WatchedStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.idempotent.submission.TestGate.complete;
import static io.idempotent.submission.TestGate.refused;
import static io.idempotent.submission.TestGate.submission;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What the log says while the store is away, and of single submissions.
 */
@ExtendWith(OutputCaptureExtension.class)
class WatchedStoreTests {

	@AutoClose
	private final TestGate gate = TestGate.opened();

	private final FaultyStore store = this.gate.store();

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.idempotent");

	private final @Nullable Level before = this.logger.getLevel();

	@BeforeEach
	void logAll() {
		this.logger.setLevel(Level.DEBUG);
	}

	@AfterEach
	void logAsBefore() {
		this.logger.setLevel(this.before);
	}

	@Test
	void anOutageIsLoggedOnceAtItsStartAndOnceAtItsEnd(CapturedOutput output) {
		WatchedStore outage = new WatchedStore(this.store, RecordEncryption.NONE, Duration.ofMillis(100),
				new IdempotencyListeners(List.of()));
		OperationKey key = submission("order 1").key();
		this.store.goDown();
		for (int i = 0; i < 20; i++) {
			assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> outage.issue(key, Duration.ofMinutes(1)));
		}
		this.store.comeBack();
		await().until(() -> {
			outage.issue(key, Duration.ofMinutes(1));
			return output.getAll().contains("works again: ");
		});
		assertThat(lines(output, "WARN")).isEqualTo(1);
		assertThat(lines(output, "WARN", "fails. Until it works again")).isEqualTo(1);
		assertThat(lines(output, "INFO",
				" from the first failure to the first success after the last one; failed calls: 20"))
			.isEqualTo(1);
	}

	@Test
	void anOutageThatIsInterruptedLastsUntilTheFirstSuccessAfterIt(CapturedOutput output) {
		Duration quiet = Duration.ofSeconds(2);
		WatchedStore outage = new WatchedStore(this.store, RecordEncryption.NONE, quiet,
				new IdempotencyListeners(List.of()));
		OperationKey key = submission("order 1").key();
		for (int i = 0; i < 2; i++) {
			this.store.goDown();
			assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> outage.issue(key, Duration.ofMinutes(1)));
			this.store.comeBack();
			outage.issue(key, Duration.ofMinutes(1));
		}
		await().until(() -> {
			outage.issue(key, Duration.ofMinutes(1));
			return output.getAll().contains("works again: ");
		});
		assertThat(lines(output, "failed calls: 2, with successes between them")).isEqualTo(1);
		assertThat(Long.parseLong(output.getAll().replaceAll("(?s).*works again: (\\d+)ms.*", "$1")))
			.isLessThan(quiet.toMillis());
	}

	@Test
	void anInterruptIsNoOutage(CapturedOutput output) {
		WatchedStore watched = new WatchedStore(this.store, RecordEncryption.NONE, Duration.ofSeconds(2),
				new IdempotencyListeners(List.of()));
		this.store.goDown();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> watched.issue(submission("order 1").key(), Duration.ofMinutes(1)));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(lines(output, "WARN")).isZero();
	}

	@Test
	void aRefusedSubmissionIsNotLogged(CapturedOutput output) {
		this.store.goDown();
		for (int i = 0; i < 20; i++) {
			this.gate.enter(submission("order " + i));
		}
		assertThat(lines(output, "WARN")).isEqualTo(1);
		assertThat(output).contains("Operation '" + TestPolicy.OPERATION + "' was refused", ". It was tried twice");
	}

	@Test
	void aRetriedWriteIsNotLogged(CapturedOutput output) {
		this.store.next(Call.COMPLETE, Fault.UNREACHABLE);
		complete(this.gate.run(submission("order 1")));
		assertThat(lines(output, "WARN")).isEqualTo(1);
	}

	@Test
	void aWithdrawalThatFailsAtShutdownIsNotAnError(CapturedOutput output) {
		this.store.goDown();
		this.gate.enter(submission("order 1"));
		this.gate.close();
		assertThat(lines(output, "ERROR")).isZero();
	}

	@Test
	void theOutcomeOfASubmissionIsLoggedAtDebugWithAShortHash(CapturedOutput output) {
		Submission submission = submission("order 1");
		complete(this.gate.run(submission));
		this.gate.enter(submission);
		this.gate.run(submission("order 2")).end(End.RELEASED);
		String told = "Operation '" + TestPolicy.OPERATION + "' (key " + submission.key() + "): ";
		assertThat(output).contains(told + "GRANTED", told + "COMPLETED", told + "REPLAYED", ": RELEASED")
			.doesNotContain(submission.key().encoded(), "order 1");
	}

	private static long lines(CapturedOutput output, String... parts) {
		return output.getAll().lines().filter((line) -> List.of(parts).stream().allMatch(line::contains)).count();
	}

	@Test
	void withdrawingAClaimDoesNotCountAsASubmission() {
		Queue<StoreCall> calls = new ConcurrentLinkedQueue<>();
		try (TestGate counted = TestGate.that().tells(new GateListener() {
			@Override
			public void onStoreCall(StoreCall call, StoreResult result, long nanos) {
				calls.add(call);
			}
		}).opens()) {
			counted.store().next(Call.CLAIM, Fault.REPLY_LOST, Fault.REPLY_LOST);
			counted.enter(submission("order"));
			counted.gate().flush();
		}
		assertThat(calls).containsExactly(StoreCall.CLAIM, StoreCall.CLAIM, StoreCall.RELEASE);
	}

	@Test
	void aLossFoundByARetriedWriteIsLogged(CapturedOutput output) {
		Submission order = submission("order");
		Claim slow = this.gate.run(order);
		this.store.goDown();
		complete(slow);
		this.store.comeBack();
		this.gate.pass(TestPolicy.LEASE.plusSeconds(1));
		this.gate.run(order);
		this.gate.gate().flush();
		assertThat(output).containsOnlyOnce("ended after its claim had passed to another submission");
		assertThat(this.gate.told()).containsOnlyOnce(IdempotencyEvent.Type.CLAIM_LOST);
	}

}

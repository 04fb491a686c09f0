package io.idempotent.boot;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.Decision;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.End;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.GateListener.Entrance;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.support.Digest;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How an application ends.
 */
class GateLifecycleTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdempotencyAutoConfiguration.class));

	@Test
	void pendingWritesAreFlushedBeforeConnectionsClose() {
		FalteringStore store = new FalteringStore();
		this.runner.withBean(FalteringStore.class, () -> store).run((context) -> {
			run(context.getBean(IdempotencyGate.class)).end(new End.Completed(Outcome.TOMBSTONE));
			store.heard.add("context closes");
			store.answers = true;
		});
		assertThat(store.heard).containsSubsequence("context closes", "completed", "stopped");
	}

	@Test
	void theGateIsClosedWithTheContext() {
		FalteringStore store = new FalteringStore();
		this.runner.withBean(FalteringStore.class, () -> store)
			.run((context) -> run(context.getBean(IdempotencyGate.class)).end(new End.Completed(Outcome.TOMBSTONE)));
		// Never taken: given up at the very end, not kept by a thread that lives on.
		assertThat(store.heard).containsSubsequence("refused", "stopped").doesNotContain("completed");
	}

	@Test
	void noThreadOutlivesTheContext() {
		Set<Thread> before = threads();
		this.runner.withPropertyValues("idempotent.store.type=local").run((context) -> {
			run(context.getBean(IdempotencyGate.class));
			assertThat(before.containsAll(threads())).as("no new thread").isFalse();
		});
		await().untilAsserted(() -> assertThat(before).containsAll(threads()));
	}

	private static Claim run(IdempotencyGate gate) {
		OperationPolicy policy = new OperationPolicy("order", Duration.ofMinutes(1), Duration.ofHours(1),
				Duration.ofSeconds(1), WhenCompleted.REPLAY, WhenInProgress.REJECT, WhenUnknown.RERUN,
				WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, "");
		Submission submission = new Submission(OperationKey.of("shop", "order", List.of(), "1"), "1",
				new Fingerprint(Digest.sha256().add("tea").build()), Admission.OPEN, Duration.ZERO);
		return ((Decision.Run) gate.enter(Entrance.METHOD, new SubmissionContext(policy), submission, (answer) -> false)
			.decision()).claim();
	}

	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("idempotent-"))
			.collect(Collectors.toSet());
	}

	/**
	 * Grants everything, takes no completion until it is told to answer, and stops as
	 * connection factories do.
	 */
	private static final class FalteringStore implements IdempotencyStore, SmartLifecycle {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		private volatile boolean answers;

		private volatile boolean running;

		@Override
		public void issue(OperationKey key, Duration timeToLive) {
		}

		@Override
		public ClaimResult claim(ClaimRequest request) {
			return new ClaimResult.Granted(1, false);
		}

		@Override
		public Ownership renew(ClaimId claim, Duration lease) {
			return Ownership.HELD;
		}

		@Override
		public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
			if (!this.answers) {
				this.heard.add("refused");
				throw new StoreUnavailableException("Down", null);
			}
			this.heard.add("completed");
			return Ownership.HELD;
		}

		@Override
		public Ownership release(ClaimId claim, Release release) {
			return Ownership.HELD;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			this.heard.add("stopped");
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return 0;
		}

	}

}

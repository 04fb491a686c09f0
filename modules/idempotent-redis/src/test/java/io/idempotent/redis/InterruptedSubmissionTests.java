package io.idempotent.redis;

import java.time.Duration;
import java.util.List;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.Decision;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.IdempotencyGateBuilder;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.End;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.GateListener.Entrance;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.support.Digest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A healthy Redis, and threads of the application whose interrupt status is set.
 */
@Timeout(60)
class InterruptedSubmissionTests {

	private static final Outcome.Stored ANSWER = new Outcome.Stored(new byte[] { 42 });

	private final TestRedis redis = TestRedis.start();

	private final IdempotencyGate node = new IdempotencyGateBuilder(this.redis.store()).build();

	private final IdempotencyGate other = new IdempotencyGateBuilder(this.redis.store()).build();

	private final Submission submission = new Submission(OperationKey.of("test", "Orders.create", List.of(), "order 1"),
			"order 1", new Fingerprint(Digest.sha256().add("content").build()), Admission.OPEN, Duration.ZERO);

	@AfterEach
	void close() {
		Thread.interrupted();
		this.node.close();
		this.other.close();
		this.redis.close();
	}

	private static OperationPolicy policy(WhenStoreFails whenStoreFails) {
		return new OperationPolicy("Orders.create", Duration.ofSeconds(30), Duration.ofMinutes(10),
				Duration.ofSeconds(1), WhenCompleted.REPLAY, WhenInProgress.REJECT, WhenUnknown.RERUN,
				WhenFailed.RELEASE, whenStoreFails, false, false, "");
	}

	private Decision enter(IdempotencyGate gate, OperationPolicy policy) {
		return gate.enter(Entrance.METHOD, new SubmissionContext(policy), this.submission, (answer) -> false)
			.decision();
	}

	private Claim run(OperationPolicy policy) {
		Decision decision = enter(this.node, policy);
		assertThat(decision).isInstanceOf(Decision.Run.class);
		return ((Decision.Run) decision).claim();
	}

	@Test
	void theResponseIsRecordedAtOnce() {
		OperationPolicy policy = policy(WhenStoreFails.REJECT);
		Claim claim = run(policy);
		// The operation has caught an InterruptedException, and restored the status.
		Thread.currentThread().interrupt();
		claim.end(new End.Completed(ANSWER));
		Thread.interrupted();
		assertThat(enter(this.other, policy)).isInstanceOf(Decision.Replay.class);
	}

	@Test
	void noOperationRunsUnprotected() {
		OperationPolicy policy = policy(WhenStoreFails.PROCEED);
		Claim claim = run(policy);
		claim.end(new End.Completed(ANSWER));
		assertThat(enter(this.other, policy)).isInstanceOf(Decision.Replay.class);
		Thread.currentThread().interrupt();
		Decision repeat = enter(this.other, policy);
		Thread.interrupted();
		assertThat(repeat).isNotInstanceOf(Decision.RunUnprotected.class);
	}

}

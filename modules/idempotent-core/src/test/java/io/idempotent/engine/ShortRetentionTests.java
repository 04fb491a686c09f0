package io.idempotent.engine;

import java.time.Duration;

import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.FaultyStore.Call;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.policy.OperationPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.idempotent.engine.TestGate.complete;
import static io.idempotent.engine.TestGate.refused;
import static io.idempotent.engine.TestGate.submission;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A retention that is shorter than the lease: a completed operation is forgotten after
 * the retention, a running one is protected for its lease.
 */
class ShortRetentionTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration RETENTION = Duration.ofSeconds(3);

	private static final OperationPolicy POLICY = policy(WhenUnknown.RERUN);

	private final TestGate gate = TestGate.opened();

	private final Submission submission = submission("order 1");

	@AfterEach
	void close() {
		this.gate.close();
	}

	private static OperationPolicy policy(WhenUnknown whenUnknown) {
		return new OperationPolicy(TestPolicy.OPERATION, LEASE, RETENTION, Duration.ofSeconds(1), WhenCompleted.REJECT,
				WhenInProgress.REJECT, whenUnknown, WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, "");
	}

	@Test
	void aCompletedOperationIsForgottenAfterTheRetention() {
		complete(this.gate.run(POLICY, this.submission));
		this.gate.pass(RETENTION.minusMillis(1));
		assertThat(this.gate.enter(POLICY, this.submission)).isEqualTo(refused(Refusal.DUPLICATE));
		this.gate.pass(Duration.ofMillis(1));
		assertThat(this.gate.run(POLICY, this.submission).attempt()).isEqualTo(1);
	}

	@Test
	void aRunningOperationIsProtectedForItsLease() {
		this.gate.run(POLICY, this.submission);
		this.gate.pass(LEASE.minusMillis(1));
		assertThat(this.gate.enter(POLICY, this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
	}

	@Test
	void theRetentionStartsAtTheEndOfTheRun() {
		Claim claim = this.gate.run(POLICY, this.submission);
		this.gate.pass(LEASE.minusMillis(1));
		complete(claim);
		this.gate.pass(RETENTION.minusMillis(1));
		assertThat(this.gate.enter(POLICY, this.submission)).isEqualTo(refused(Refusal.DUPLICATE));
	}

	@Test
	void anUnknownOutcomeIsRetained() {
		this.gate.run(POLICY, this.submission);
		this.gate.pass(LEASE);
		assertThat(this.gate.enter(policy(WhenUnknown.REJECT), this.submission))
			.isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		this.gate.pass(RETENTION.minusMillis(1));
		assertThat(this.gate.run(POLICY, this.submission).attempt()).isEqualTo(2);
		assertThat(this.gate.store().count(Call.CLAIM)).isEqualTo(3);
	}

}

package io.idempotent.submission;

import java.time.Duration;
import java.util.List;

import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.submission.FaultyStore.Call;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.policy.OperationPolicy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.idempotent.submission.TestGate.complete;
import static io.idempotent.submission.TestGate.refused;
import static io.idempotent.submission.TestGate.submission;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long an operation is remembered, and what a submission learns of it.
 */
class IdempotencyGateRetentionTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration RETENTION = Duration.ofSeconds(3);

	private static final OperationPolicy POLICY = TestPolicy.retention(RETENTION, WhenCompleted.REJECT);

	@AutoClose
	private final TestGate gate = TestGate.opened();

	private final Submission submission = submission("order 1");

	private Duration left(OperationPolicy policy) {
		return TestGate.decide(this.gate.gate(), policy, this.submission).retentionLeft();
	}

	/** Receipts, which may be the only record, are kept for no other time. */
	@Test
	void aCompletedClaimIsRememberedForTheTimeOfItsPolicyAtMost() {
		assertThat(this.gate.run(this.submission).end(End.completed(TestGate.ANSWER), HOUR))
			.isEqualTo(TestPolicy.RETENTION);
		assertThat(this.gate.run(submission("order 2")).end(End.completed(TestGate.ANSWER), RETENTION))
			.isEqualTo(RETENTION);
	}

	@Test
	void aClaimWithoutAnAnswerIsNotRemembered() {
		for (End end : List.of(End.RELEASED, End.UNKNOWN, End.UNOBSERVED)) {
			assertThat(this.gate.run(submission(end.toString())).end(end)).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void aRepeatLearnsWhatIsLeft(WhenCompleted whenCompleted) {
		OperationPolicy policy = TestPolicy.with(whenCompleted);
		complete(this.gate.run(policy, this.submission));
		this.gate.pass(Duration.ofSeconds(7));
		assertThat(left(policy)).isEqualTo(TestPolicy.RETENTION.minusSeconds(7));
	}

	@Test
	void aBurntKeyIsRememberedFromItsClaimOn() {
		Claim claim = this.gate.run(TestPolicy.with(WhenCompleted.BURN), this.submission);
		Duration longer = TestPolicy.RETENTION.multipliedBy(2);
		assertThat(claim.end(End.completed(TestGate.ANSWER), longer)).isEqualTo(TestPolicy.RETENTION);
	}

	@Test
	void aRepeatOfARunningOperationLearnsNothing() {
		this.gate.run(this.submission);
		assertThat(left(TestPolicy.DEFAULT)).isZero();
	}

	@Test
	void theNearCacheKnowsNoMoreThanTheStore() {
		try (TestGate cached = TestGate.that().remembersIn(new MapCache()).opens()) {
			complete(cached.run(this.submission));
			assertThat(TestGate.decide(cached.gate(), TestPolicy.DEFAULT, this.submission).retentionLeft()).isPositive()
				.isLessThan(TestPolicy.RETENTION);
		}
	}

	@Test
	void theRetentionStartsAtTheEndOfTheRun() {
		Claim claim = this.gate.run(POLICY, this.submission);
		this.gate.pass(TestPolicy.LEASE.minusMillis(1));
		complete(claim);
		this.gate.pass(RETENTION.minusMillis(1));
		assertThat(this.gate.enter(POLICY, this.submission)).isEqualTo(refused(Refusal.DUPLICATE));
	}

	@Test
	void anUnknownOutcomeIsRetained() {
		this.gate.run(POLICY, this.submission);
		this.gate.pass(TestPolicy.LEASE);
		assertThat(this.gate.enter(TestPolicy.retention(RETENTION, WhenUnknown.REJECT), this.submission))
			.isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		this.gate.pass(RETENTION.minusMillis(1));
		assertThat(this.gate.run(POLICY, this.submission).attempt()).isEqualTo(2);
		assertThat(this.gate.store().count(Call.CLAIM)).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 29, 30 })
	void anUnknownOutcomeIsRetainedForAnotherLeaseAtLeast(long longer) {
		OperationPolicy policy = TestPolicy.retention(TestPolicy.LEASE.plusSeconds(longer), WhenUnknown.REJECT);
		this.gate.run(policy, this.submission);
		this.gate.pass(TestPolicy.LEASE.multipliedBy(2).minusMillis(1));
		assertThat(this.gate.enter(policy, this.submission)).isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
		this.gate.pass(Duration.ofMillis(1));
		assertThat(this.gate.run(policy, this.submission).attempt()).isEqualTo(1);
	}

	@Test
	void aBurntKeyIsFreeAfterItsRetention() {
		OperationPolicy policy = TestPolicy.retention(TestPolicy.LEASE, WhenCompleted.BURN);
		this.gate.run(policy, this.submission);
		this.gate.pass(TestPolicy.LEASE.minusMillis(1));
		assertThat(this.gate.enter(policy, this.submission)).isEqualTo(refused(Refusal.DUPLICATE));
		this.gate.pass(Duration.ofMillis(1));
		this.gate.run(policy, this.submission);
	}

}

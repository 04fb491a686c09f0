package io.idempotent.submission;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
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

import static io.idempotent.submission.TestGate.complete;
import static io.idempotent.submission.TestGate.refused;
import static io.idempotent.submission.TestGate.replayed;
import static io.idempotent.submission.TestGate.submission;
import static io.idempotent.submission.TestGate.withToken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a submission meets, row by row, and what listeners hear.
 */
class IdempotencyGateTests {

	private static final Duration MOMENT = Duration.ofNanos(1);

	@AutoClose
	private final TestGate gate = TestGate.opened();

	private final Submission submission = submission("order 1");

	// Absent and issued

	@Test
	void aClaimIsReleasedIfTheStoreFailsAfterGrantingIt() {
		OperationPolicy policy = TestPolicy.with(WhenUnknown.REJECT);
		for (Throwable defect : List.of(new IllegalStateException("a defect"), new StackOverflowError(),
				new IOException("of a store in Kotlin"))) {
			this.gate.store().next(Call.CLAIM, Fault.NONE.andAfter(() -> Fault.sneak(defect)));
			assertThatExceptionOfType(defect.getClass()).isThrownBy(() -> this.gate.enter(policy, this.submission));
			this.gate.gate().flush();
			this.gate.pass(TestPolicy.LEASE);
			this.gate.run(policy, this.submission).end(End.RELEASED);
		}
	}

	@Test
	void aNewKeyRuns() {
		Claim claim = this.gate.run(this.submission);
		assertThat(claim.key()).isEqualTo(this.submission.key());
		assertThat(claim.attempt()).isEqualTo(1);
		assertThat(claim.isLost()).isFalse();
	}

	@Test
	void aTokenThatWasNotIssuedIsUnknown() {
		assertThat(this.gate.enter(withToken("forged"))).isEqualTo(refused(Refusal.TOKEN_UNKNOWN));
	}

	@Test
	void issuingATokenReportsAnUnavailableStore() {
		this.gate.store().goDown();
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> this.gate.gate().issue(this.submission.key(), TestPolicy.RETENTION));
	}

	// Completed

	@Test
	void aTombstoneHasNoAnswer() {
		Claim claim = this.gate.run(this.submission);
		claim.end(End.completed(Outcome.TOMBSTONE));
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.gate.enter(TestPolicy.with(WhenCompleted.REJECT), this.submission))
			.isEqualTo(refused(Refusal.DUPLICATE));
	}

	@Test
	void theOperationMaySayHowLongItIsRetained() {
		Claim claim = this.gate.run(this.submission);
		claim.end(End.completed(TestGate.ANSWER), TestPolicy.RETENTION.multipliedBy(2));
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
		complete(this.gate.run(signed));
		this.gate.pass(life.minus(MOMENT));
		assertThat(this.gate.enter(signed)).isEqualTo(replayed(1));
	}

	@Test
	void aKeyThatLivesShorterThanTheRetentionDoesNotShortenIt() {
		Submission signed = new Submission(this.submission.key(), "signed", this.submission.fingerprint(),
				ClaimRequest.Admission.OPEN, TestPolicy.RETENTION.minus(MOMENT));
		assertThat(this.gate.run(signed).end(End.completed(TestGate.ANSWER))).isEqualTo(TestPolicy.RETENTION);
	}

	// Key reused

	@Test
	void otherContentUnderARunningKeyIsRefused() {
		this.gate.run(this.submission);
		assertThat(this.gate.enter(submission("order 1", "else"))).isEqualTo(refused(Refusal.KEY_REUSED));
	}

	@Test
	void otherContentUnderAKeyThatWasGivenBackRuns() {
		this.gate.run(this.submission).end(End.RELEASED);
		this.gate.run(submission("order 1", "corrected"));
	}

	// In progress

	@Test
	void aDuplicateOfARunningOperationIsRefusedAtOnce() {
		this.gate.run(this.submission);
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM, Call.CLAIM);
	}

	// Store

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void anUnreadableRecordNeverRuns(WhenStoreFails whenStoreFails) {
		this.gate.store().next(Call.CLAIM, Fault.UNREADABLE);
		assertThat(this.gate.enter(TestPolicy.with(whenStoreFails), this.submission))
			.isEqualTo(refused(Refusal.RECORD_UNREADABLE));
	}

	/** A failure of its call says nothing about the store. */
	@Test
	void nothingRunsUnprotectedOnAnInterruptedThread() {
		this.gate.store().goDown();
		Thread.currentThread().interrupt();
		Decision decision = this.gate.enter(TestPolicy.with(WhenStoreFails.PROCEED), this.submission);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(decision).isEqualTo(refused(Refusal.STORE_UNAVAILABLE));
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
		this.gate.run(policy, this.submission).end(End.RELEASED);
		this.gate.run(policy, this.submission);
	}

	@Test
	void aBurntKeyStaysBurntIfTheOutcomeIsUnknown() {
		OperationPolicy policy = TestPolicy.with(WhenCompleted.BURN);
		this.gate.run(policy, this.submission).end(End.UNKNOWN);
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.LEFT_UNKNOWN);
		assertThat(this.gate.enter(policy, this.submission)).isEqualTo(refused(Refusal.DUPLICATE));
	}

	private IdempotencyEvent event(IdempotencyEvent.Type type, Refusal refusal) {
		return new IdempotencyEvent(type, TestPolicy.OPERATION, this.submission.key().toString(), refusal);
	}

	@Test
	void anEventNamesTheOperationAndAShortHashOfTheKey() {
		complete(this.gate.run(this.submission));
		this.gate.enter(this.submission);
		assertThat(this.gate.events()).containsExactly(event(IdempotencyEvent.Type.GRANTED, null),
				event(IdempotencyEvent.Type.COMPLETED, null), event(IdempotencyEvent.Type.REPLAYED, null));
		assertThat(this.gate.events().get(0).key()).hasSize(12).doesNotContain("order");
	}

	@Test
	void aRefusalIsPublishedWithItsReason() {
		this.gate.run(this.submission);
		this.gate.enter(this.submission);
		this.gate.enter(submission("order 1", "else"));
		this.gate.store().next(Call.CLAIM, Fault.UNREADABLE);
		this.gate.enter(this.submission);
		this.gate.store().goDown();
		this.gate.enter(this.submission);
		assertThat(this.gate.events()).containsExactly(event(IdempotencyEvent.Type.GRANTED, null),
				event(IdempotencyEvent.Type.REFUSED, Refusal.IN_PROGRESS),
				event(IdempotencyEvent.Type.REFUSED, Refusal.KEY_REUSED),
				event(IdempotencyEvent.Type.REFUSED, Refusal.RECORD_UNREADABLE),
				event(IdempotencyEvent.Type.REFUSED, Refusal.STORE_UNAVAILABLE));
	}

	@Test
	void aRefusalBeforeThereIsAKeyIsPublishedWithoutOne() {
		this.gate.gate().refusedWithoutKey(new SubmissionRefusedException(Refusal.KEY_MISSING, TestPolicy.OPERATION));
		assertThat(this.gate.events()).containsExactly(
				new IdempotencyEvent(IdempotencyEvent.Type.REFUSED, TestPolicy.OPERATION, "", Refusal.KEY_MISSING));
	}

	@Test
	void everyTypeOfEventIsPublished() {
		this.gate.run(this.submission).end(End.RELEASED);
		Claim silent = this.gate.run(this.submission);
		this.gate.pass(TestPolicy.LEASE);
		Claim rerun = this.gate.run(this.submission);
		complete(silent);
		this.gate.enter(this.submission);
		this.gate.store().next(Call.COMPLETE, Fault.UNREACHABLE);
		complete(rerun);
		this.gate.gate().flush();
		this.gate.enter(this.submission);
		this.gate.run(submission("order 2")).end(End.UNKNOWN);
		this.gate.store().next(Call.COMPLETE, Fault.UNREADABLE);
		complete(this.gate.run(submission("order 3")));
		this.gate.store().goDown();
		this.gate.enter(TestPolicy.with(WhenStoreFails.PROCEED), submission("order 4"));
		Set<IdempotencyEvent.Type> told = this.gate.events()
			.stream()
			.map(IdempotencyEvent::type)
			.collect(Collectors.toSet());
		assertThat(told).isEqualTo(EnumSet.allOf(IdempotencyEvent.Type.class));
		assertThat(this.gate.events()).extracting(IdempotencyEvent::operation).containsOnly(TestPolicy.OPERATION);
	}

	@Test
	void aListenerThatThrowsAffectsNothingElse() {
		IdempotencyListener failing = (event) -> {
			throw new IllegalStateException("The meter registry is closed");
		};
		IdempotencyListener broken = (event) -> {
			throw new NoSuchMethodError("io.micrometer.Counter.increment()");
		};
		try (TestGate gate = TestGate.that().tells(failing).tells(broken).opens()) {
			complete(gate.run(this.submission));
			assertThat(gate.enter(this.submission)).isEqualTo(replayed(1));
			assertThat(gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.COMPLETED,
					IdempotencyEvent.Type.REPLAYED);
		}
	}

}

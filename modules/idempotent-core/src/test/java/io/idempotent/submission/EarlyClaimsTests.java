package io.idempotent.submission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.IdempotencyEvent;
import io.idempotent.store.OperationKey;
import io.idempotent.store.OutcomeCache;
import io.idempotent.submission.FaultyStore.Call;
import io.idempotent.submission.FaultyStore.Fault;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.Submission;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Claims that are made before their turn.
 */
class EarlyClaimsTests {

	@AutoClose
	private final TestGate gate = TestGate.opened();

	private final Submission first = TestGate.submission("first");

	private final Submission second = TestGate.submission("second");

	private final Submission third = TestGate.submission("third");

	@Test
	void whatWasClaimedEarlyIsNotClaimedAgain() {
		TestGate.complete(this.gate.run(this.first));
		try (EarlyClaims early = claim(this.first, this.second)) {
			assertThat(enter(early, this.first)).isEqualTo(TestGate.replayed(1));
			TestGate.complete(run(early, this.second));
		}
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM, Call.COMPLETE, Call.CLAIM, Call.CLAIM,
				Call.COMPLETE);
	}

	@Test
	void aCompletedOperationIsCachedFromTheClaimOn() {
		List<OutcomeCache.Entry> cached = new ArrayList<>();
		OutcomeCache cache = new OutcomeCache() {

			@Override
			public @Nullable Entry find(OperationKey key) {
				return null;
			}

			@Override
			public void put(OperationKey key, Entry entry) {
				cached.add(entry);
			}

		};
		try (TestGate caching = TestGate.that().remembersIn(cache).opens()) {
			TestGate.complete(caching.run(this.first));
			EarlyClaims early = caching.gate().claimEarly(TestPolicy.DEFAULT, List.of(this.first));
			caching.gate().enterCall(new SubmissionContext(TestPolicy.DEFAULT), this.first, early);
		}
		assertThat(cached).last()
			.extracting((entry) -> entry.found().retentionLeft())
			.satisfies((left) -> assertThat(left).isCloseTo(TestPolicy.RETENTION, Duration.ofMinutes(1)));
	}

	@Test
	void claimsThatWereNotTakenAreReleased() {
		claim(this.first, this.second).close();
		assertThat(this.gate.told()).containsOnly(IdempotencyEvent.Type.RELEASED);
		assertThat(this.gate.run(this.first).attempt()).isEqualTo(1);
		assertThat(this.gate.gate().runningKeys()).containsExactly(this.first.key());
	}

	@Test
	void noClaimIsHeldBehindAnOperationInProgress() {
		this.gate.run(this.second);
		try (EarlyClaims early = claim(this.first, this.second, this.third)) {
			assertThat(early.isBlocked(this.second.key())).isTrue();
			assertThat(early.take(this.second.key())).isNull();
			assertThat(early.take(this.third.key())).isNull();
			this.gate.run(this.third);
			run(early, this.first);
		}
	}

	@Test
	void aClaimThatStaysUnansweredIsWithdrawn() {
		this.gate.store().next(Call.CLAIM, Fault.REPLY_LOST, Fault.REPLY_LOST);
		try (EarlyClaims early = claim(this.first, this.second)) {
			assertThat(early.isBlocked(this.first.key())).isTrue();
			assertThat(early.take(this.second.key())).isNull();
		}
		this.gate.gate().flush();
		assertThat(this.gate.run(this.first).attempt()).isEqualTo(1);
	}

	@Test
	void whatWasUnknownBeforeAReleasedClaimStaysUnknown() {
		this.gate.run(this.first);
		this.gate.pass(TestPolicy.DEFAULT.lease().multipliedBy(2));
		claim(this.first, this.second).close();
		assertThat(this.gate.enter(this.first)).isInstanceOfSatisfying(Decision.Run.class,
				(run) -> assertThat(run.rerun()).isTrue());
	}

	private EarlyClaims claim(Submission... submissions) {
		return this.gate.gate().claimEarly(TestPolicy.DEFAULT, List.of(submissions));
	}

	private Decision enter(EarlyClaims early, Submission submission) {
		long claims = this.gate.store().count(Call.CLAIM);
		Decision decision = this.gate.gate()
			.enterCall(new SubmissionContext(TestPolicy.DEFAULT), submission, early)
			.decision();
		assertThat(this.gate.store().count(Call.CLAIM)).isEqualTo(claims);
		return TestGate.untimed(decision);
	}

	private Claim run(EarlyClaims early, Submission submission) {
		return TestGate.claim(enter(early, submission));
	}

}

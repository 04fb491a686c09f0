package io.idempotent.submission;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.IdempotencyEvent;
import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.RecordEncryption;
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
import static io.idempotent.submission.TestGate.untimed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the near cache saves, and what it never spares.
 */
class IdempotencyGateCacheTests {

	private final OutcomeCache cache = new MapCache();

	@AutoClose
	private final TestGate gate = TestGate.that().remembersIn(this.cache).opens();

	private final Submission submission = submission("order 1");

	@Test
	void aDuplicateOfALocalRunCostsNoCall() {
		complete(this.gate.run(this.submission));
		int calls = this.gate.store().calls().size();
		assertThat(this.gate.enter(this.submission)).isEqualTo(replayed(1));
		assertThat(this.gate.store().calls()).hasSize(calls);
		assertThat(this.gate.told()).endsWith(IdempotencyEvent.Type.REPLAYED);
	}

	@Test
	void aBurntKeyThatIsGivenBackIsFreeAlthoughADuplicateCameBefore() {
		OperationPolicy policy = TestPolicy.with(WhenCompleted.BURN);
		Claim claim = this.gate.run(policy, this.submission);
		assertThat(this.gate.enter(policy, this.submission)).isEqualTo(refused(Refusal.DUPLICATE));
		claim.end(End.RELEASED);
		this.gate.run(policy, this.submission);
	}

	@Test
	void onlyTheFirstDuplicateOfARemoteRunCostsACall() {
		this.gate.run(this.submission).end(End.UNKNOWN);
		complete(this.gate.run(this.submission));
		try (IdempotencyGate otherNode = new IdempotencyGate.Builder(this.gate.store()).outcomeCache(new MapCache())
			.build()) {
			int calls = this.gate.store().calls().size();
			assertThat(untimed(TestGate.decide(otherNode, TestPolicy.DEFAULT, this.submission))).isEqualTo(replayed(2));
			assertThat(untimed(TestGate.decide(otherNode, TestPolicy.DEFAULT, this.submission))).isEqualTo(replayed(2));
			assertThat(this.gate.store().calls()).hasSize(calls + 1);
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void theCacheChecksTheContent(WhenCompleted whenCompleted) {
		OperationPolicy policy = TestPolicy.with(whenCompleted);
		complete(this.gate.run(policy, this.submission));
		int calls = this.gate.store().calls().size();
		assertThat(this.gate.enter(policy, submission("order 1", "else"))).isEqualTo(refused(Refusal.KEY_REUSED));
		assertThat(this.gate.store().calls()).hasSize(calls);
	}

	@Test
	void theCacheKnowsBurntKeys() {
		OperationPolicy policy = TestPolicy.with(WhenCompleted.BURN);
		complete(this.gate.run(policy, this.submission));
		assertThat(this.gate.enter(policy, this.submission)).isEqualTo(refused(Refusal.DUPLICATE));
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM);
	}

	@Test
	void theCacheKnowsTombstones() {
		Claim claim = this.gate.run(this.submission);
		claim.end(End.completed(Outcome.TOMBSTONE));
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM, Call.COMPLETE);
	}

	@Test
	void anAnswerThatCannotBeDecryptedForAMomentIsNotCached() {
		AtomicBoolean fails = new AtomicBoolean();
		RecordEncryption encryption = new RecordEncryption(List.of(checked(fails)));
		try (IdempotencyGate node = new IdempotencyGate.Builder(this.gate.store()).encryption(encryption).build();
				IdempotencyGate otherNode = new IdempotencyGate.Builder(this.gate.store()).encryption(encryption)
					.outcomeCache(this.cache)
					.build()) {
			complete(((Decision.Run) TestGate.decide(node, TestPolicy.DEFAULT, this.submission)).claim());
			fails.set(true);
			assertThat(untimed(TestGate.decide(otherNode, TestPolicy.DEFAULT, this.submission)))
				.isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
			assertThat(untimed(TestGate.decide(otherNode, TestPolicy.DEFAULT, this.submission))).isEqualTo(replayed(1));
		}
	}

	@Test
	void anErrorThatCannotBeEncryptedFreesItsKeyAndAnEffectDoesNot() {
		AtomicBoolean away = new AtomicBoolean();
		RecordEncryption.Cipher cipher = checked(new AtomicBoolean());
		RecordEncryption encryption = new RecordEncryption(List.of(new RecordEncryption.Cipher("remote", (content) -> {
			if (away.get()) {
				throw new IllegalStateException("planned");
			}
			return cipher.encrypt().apply(content);
		}, cipher.decrypt())));
		try (IdempotencyGate node = new IdempotencyGate.Builder(this.gate.store()).encryption(encryption)
			.outcomeCache(this.cache)
			.build(); IdempotencyGate otherNode = new IdempotencyGate.Builder(this.gate.store()).build()) {
			away.set(true);
			Claim failed = ((Decision.Run) TestGate.decide(node, TestPolicy.DEFAULT, this.submission)).claim();
			failed.end(End.error(TestGate.ANSWER));
			assertThat(failed.ended()).isEqualTo(End.RELEASED);
			complete(((Decision.Run) TestGate.decide(node, TestPolicy.DEFAULT, this.submission)).claim());
			for (IdempotencyGate asked : List.of(node, otherNode)) {
				assertThat(untimed(TestGate.decide(asked, TestPolicy.DEFAULT, this.submission)))
					.isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
			}
		}
	}

	/** It stores a check sum before the content, and fails once if told to. */
	private static RecordEncryption.Cipher checked(AtomicBoolean fails) {
		return new RecordEncryption.Cipher("checked",
				(content) -> ByteBuffer.allocate(4 + content.length)
					.putInt(Arrays.hashCode(content))
					.put(content)
					.array(),
				(stored) -> {
					byte[] content = Arrays.copyOfRange(stored, 4, stored.length);
					if (fails.getAndSet(false) || ByteBuffer.wrap(stored).getInt() != Arrays.hashCode(content)) {
						throw new IllegalStateException("planned");
					}
					return content;
				});
	}

	@Test
	void theCacheKeepsTheVerdictOfAVerifier() {
		try (TestGate asking = TestGate.that().remembersIn(this.cache).asks((operation) -> Verdict.HAPPENED).opens()) {
			asking.run(this.submission).end(End.UNKNOWN);
			asking.enter(TestPolicy.with(WhenUnknown.ASK), this.submission);
			int calls = asking.store().calls().size();
			assertThat(asking.enter(this.submission)).isEqualTo(refused(Refusal.RESPONSE_UNAVAILABLE));
			assertThat(asking.store().calls()).hasSize(calls);
		}
	}

	@Test
	void anOutcomeTheStoreDidNotRecordIsNeitherCachedNorRemembered() {
		Claim claim = this.gate.run(this.submission);
		this.gate.store().next(Call.COMPLETE, Fault.UNREACHABLE);
		assertThat(claim.end(End.completed(TestGate.ANSWER))).isZero();
		assertThat(this.cache.find(this.submission.key())).isNull();
	}

	@Test
	void theOutcomeOfALostClaimIsNeitherCachedNorRemembered() {
		Claim silent = this.gate.run(this.submission);
		this.gate.pass(TestPolicy.LEASE);
		this.gate.run(this.submission);
		assertThat(silent.end(End.completed(TestGate.ANSWER))).isZero();
		assertThat(this.cache.find(this.submission.key())).isNull();
	}

	@Test
	void anOperationWithoutAnEffectIsNotCached() {
		this.gate.run(this.submission).end(End.RELEASED);
		this.gate.run(this.submission).end(End.UNKNOWN);
		this.gate.run(this.submission).end(End.UNOBSERVED);
		assertThat(this.cache.find(this.submission.key())).isNull();
	}

	@Test
	void aCachedOutcomeExpiresWithItsRetention() {
		AtomicReference<Duration> retention = new AtomicReference<>();
		OutcomeCache recording = new OutcomeCache() {
			@Override
			public Entry find(OperationKey key) {
				return null;
			}

			@Override
			public void put(OperationKey key, Entry entry) {
				retention.set(entry.done().retentionLeft());
			}
		};
		try (TestGate recorded = TestGate.that().remembersIn(recording).opens()) {
			Claim claim = recorded.run(this.submission);
			claim.end(End.completed(TestGate.ANSWER), Duration.ofMinutes(7));
			assertThat(retention).hasValue(Duration.ofMinutes(7));
			recorded.pass(Duration.ofMinutes(2));
			recorded.enter(this.submission);
			assertThat(retention).hasValue(Duration.ofMinutes(5));
			Claim burnt = recorded.run(TestPolicy.with(WhenCompleted.BURN), submission("order 2"));
			burnt.end(End.completed(TestGate.ANSWER), Duration.ofDays(1));
			assertThat(retention.get()).isLessThan(TestPolicy.RETENTION);
		}
	}

}

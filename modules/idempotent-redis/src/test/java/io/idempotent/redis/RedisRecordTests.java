package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.UnreadableRecordException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.SetCondition;
import org.springframework.data.redis.core.types.Expiration;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RedisRecordTests {

	private static final Origin ORIGIN = new Origin(Origin.application("shop"), "Orders.place", "shop@a:1", null,
			Instant.ofEpochMilli(1));

	@AutoClose
	private static TestRedis redis;

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
	}

	private static StoreSubmission submission() {
		return StoreSubmission.to(redis.store());
	}

	@Test
	void aRecordOfANewerVersionIsLeftAlone() {
		StoreSubmission submission = submission();
		submission.granted();
		byte[] newer = get(submission);
		newer[0] = 2;
		assertUnreadable(submission, newer, "version 2", "known is version 1");
	}

	@Test
	void anUnknownStateIsLeftAlone() {
		for (byte state : new byte[] { 0, 6, (byte) 0xff }) {
			StoreSubmission submission = submission();
			submission.granted();
			byte[] strange = get(submission);
			strange[1] = state;
			assertUnreadable(submission, strange, "its state is " + Byte.toUnsignedInt(state));
		}
	}

	@Test
	void aTruncatedOrLengthenedRecordIsLeftAlone() {
		for (byte[] whole : inEveryState()) {
			IntStream.concat(IntStream.range(0, whole.length), IntStream.of(whole.length + 1))
				.forEach((length) -> assertUnreadable(submission(), Arrays.copyOf(whole, length), "it "));
		}
	}

	@Test
	void somethingElseUnderTheKeyIsLeftAlone() {
		assertUnreadable(submission(), "{\"state\":\"DONE\"}".getBytes(StandardCharsets.US_ASCII), "version 123");
		StoreSubmission list = submission();
		redis.ask((connection) -> connection.listCommands().rPush(key(list), key(list)));
		assertThatExceptionOfType(UnreadableRecordException.class).isThrownBy(list::claim)
			.withMessageContaining("it is no string")
			.withMessageContaining("has no time to live");
	}

	private static List<byte[]> inEveryState() {
		StoreSubmission issued = submission().issued(RETENTION);
		StoreSubmission claimed = submission().from(ORIGIN);
		claimed.granted();
		StoreSubmission completed = submission().from(ORIGIN);
		completed.complete(completed.granted(), Outcome.stored(new byte[5]));
		StoreSubmission entombed = submission();
		entombed.complete(entombed.granted(), Outcome.TOMBSTONE);
		StoreSubmission burnt = submission().burning();
		burnt.granted();
		return Stream.of(issued, claimed, completed, entombed, burnt).map(RedisRecordTests::get).toList();
	}

	private static void assertUnreadable(StoreSubmission submission, byte[] value, String... said) {
		redis.ask((connection) -> connection.stringCommands()
			.set(key(submission), value, SetCondition.upsert(), Expiration.from(RETENTION)));
		ClaimId claim = submission.claimId(1);
		Stream.<ThrowingCallable>of(submission::claim, () -> redis.store().renew(claim, LEASE),
				() -> submission.complete(claim, Outcome.TOMBSTONE), () -> submission.release(claim, Release.NO_EFFECT),
				() -> submission.release(claim, Release.UNKNOWN))
			.forEach((call) -> assertThatExceptionOfType(UnreadableRecordException.class).isThrownBy(call)
				.withMessageContaining("operation " + submission.key())
				.withMessageContainingAll(said)
				.withMessageMatching("(?s).*until the record expires \\(in [0-9]+m?s\\).*"));
		submission.issued(RETENTION);
		assertThat(get(submission)).isEqualTo(value);
		assertThat(timeToLive(submission)).isBetween(RETENTION.minusMinutes(1), RETENTION);
	}

	@Test
	void everyWriteSetsAnExpiry() {
		StoreSubmission submission = submission().ifIssued();
		submission.issued(RETENTION);
		assertExpiresWithin(submission, RETENTION);
		ClaimId claim = submission.granted();
		assertExpiresWithin(submission, RETENTION);
		submission.again().listening().claim();
		assertExpiresWithin(submission, RETENTION);
		submission.granted();
		assertExpiresWithin(submission, RETENTION);
		redis.store().renew(claim, RETENTION.multipliedBy(2));
		assertExpiresWithin(submission, RETENTION.multipliedBy(2));
		submission.release(claim, Release.NO_EFFECT);
		assertExpiresWithin(submission, RETENTION);
		ClaimId second = submission.granted();
		submission.release(second, Release.UNKNOWN);
		assertExpiresWithin(submission, RETENTION);
		redis.store().complete(second, Outcome.TOMBSTONE, LEASE);
		assertExpiresWithin(submission, LEASE);
		submission.complete(second, Outcome.TOMBSTONE);
		assertExpiresWithin(submission, LEASE);
	}

	private static void assertExpiresWithin(StoreSubmission submission, Duration expected) {
		assertThat(timeToLive(submission)).isBetween(expected.minusSeconds(10), expected);
	}

	@Test
	void aChangedTimeToLiveDoesNotEndARunningClaim() {
		List<Consumer<StoreSubmission>> changes = List.of(
				(changed) -> redis.ask((connection) -> connection.keyCommands().persist(key(changed))),
				(changed) -> redis.ask((connection) -> connection.keyCommands()
					.pExpire(key(changed), RETENTION.multipliedBy(3).toMillis())),
				RedisRecordTests::restoreWithALongerLife);
		for (Consumer<StoreSubmission> change : changes) {
			StoreSubmission submission = submission();
			ClaimId claim = submission.granted();
			change.accept(submission);
			assertThatExceptionOfType(UnreadableRecordException.class).isThrownBy(submission.again()::claim)
				.withMessageContaining("not known whether its claim has lapsed");
			assertThat(redis.store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
			assertThat(timeToLive(submission)).isBetween(RETENTION.minusSeconds(10), RETENTION);
			assertThat(submission.again().claim()).isInstanceOfSatisfying(ClaimResult.InProgress.class,
					(running) -> assertThat(running.leaseLeft()).isLessThanOrEqualTo(LEASE));
			change.accept(submission);
			assertThat(submission.complete(claim, Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
			change.accept(submission);
			assertThat(submission.again().claim()).isInstanceOf(ClaimResult.Completed.class);
		}
	}

	@Test
	void aChangedTimeToLiveDoesNotExtendAToken() {
		StoreSubmission submission = submission().issued(LEASE).ifIssued();
		ClaimId claim = submission.granted();
		redis.ask((connection) -> connection.keyCommands()
			.pExpire(key(submission), RETENTION.multipliedBy(3).toMillis()));
		assertThat(submission.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		assertExpiresWithin(submission, LEASE);
	}

	private static void restoreWithALongerLife(StoreSubmission submission) {
		redis.ask((connection) -> {
			byte[] dump = connection.keyCommands().dump(key(submission));
			connection.keyCommands().restore(key(submission), RETENTION.multipliedBy(2).toMillis(), dump, true);
			return true;
		});
	}

	@Test
	void aCompletedRecordCostsLessThan200BytesBeyondItsAnswer() {
		for (int size : new int[] { 0, 100, 1_000, 10_000 }) {
			StoreSubmission submission = submission();
			submission.complete(submission.granted(), Outcome.stored(new byte[size]));
			// Redis' allocator rounds up to a size class, an eighth at most.
			assertThat(memory(submission) - size).isLessThan(200 + size / 8);
		}
	}

	@Test
	void aRecordWithoutAnAnswerIsSmall() {
		StoreSubmission submission = submission().issued(RETENTION);
		long issued = memory(submission);
		ClaimId claim = submission.granted();
		long claimed = memory(submission);
		submission.complete(claim, Outcome.TOMBSTONE);
		long entombed = memory(submission);
		assertThat(issued).isLessThan(150);
		assertThat(claimed).isLessThan(250);
		assertThat(entombed).isLessThan(200);
	}

	/** As docs/troubleshooting.md shows it. */
	@Test
	void theOriginOfAClaimIsReadableByAnOperator() {
		StoreSubmission submission = submission().from(ORIGIN);
		submission.granted();
		byte[] text = redis.ask((connection) -> connection.stringCommands().getRange(key(submission), 79, -3));
		assertThat(new String(text, StandardCharsets.UTF_8)).isEqualTo(ORIGIN.encoded());
	}

	@Test
	void aPrefixThatWouldBreakKeysIsRefused() {
		for (String prefix : List.of("", " ", "idem {x}:", "{idem}:", "a b", "é", "a\n")) {
			assertThatIllegalArgumentException().isThrownBy(() -> new RedisKeys(prefix))
				.withMessageContaining("'" + prefix + "'");
		}
		assertThat(new RedisKeys("my-app|~:v1/").channel()).isEqualTo("my-app|~:v1/wake");
	}

	private static byte[] key(StoreSubmission submission) {
		return ("idem:" + submission.key().encoded()).getBytes(StandardCharsets.US_ASCII);
	}

	private static byte[] get(StoreSubmission submission) {
		return redis.ask((connection) -> connection.stringCommands().get(key(submission)));
	}

	private static Duration timeToLive(StoreSubmission submission) {
		return Duration.ofMillis(redis.ask((connection) -> connection.keyCommands().pTtl(key(submission))));
	}

	private static long memory(StoreSubmission submission) {
		byte[] script = "return redis.call('MEMORY', 'USAGE', KEYS[1])".getBytes(StandardCharsets.US_ASCII);
		return redis.<Long>ask(
				(connection) -> connection.scriptingCommands().eval(script, ReturnType.INTEGER, 1, key(submission)));
	}

}

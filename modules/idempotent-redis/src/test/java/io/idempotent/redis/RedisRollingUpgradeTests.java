package io.idempotent.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.Ownership;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.Release;
import io.idempotent.store.Settlement;
import io.idempotent.store.Settlement.Kind;
import io.idempotent.store.SettlementResult;
import io.idempotent.support.Digest;
import io.idempotent.test.contract.StoreSubmission;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.SetCondition;
import org.springframework.data.redis.core.types.Expiration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes of this version and of the one before origins on one Redis. The former version is
 * here with the records that it wrote and the scripts that it ran.
 */
class RedisRollingUpgradeTests {

	private static final int IN_PROGRESS = 2;

	private static final int DONE = 3;

	private static final int UNKNOWN = 4;

	private static final Duration LIFE = Duration.ofMinutes(10);

	private static final Outcome ANSWER = Outcome.stored(new byte[] { 7, 8, 9 });

	private static final Origin ORIGIN = new Origin(Origin.application("shop"), "Orders.place", "shop@a:1", null,
			Instant.ofEpochMilli(1));

	private static final Owner OWNER = new Owner(0x0001020304050607L, 0x08090a0b0c0d0e0fL);

	private static final String ID = "00000001" + "000102030405060708090a0b0c0d0e0f"
			+ "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f";

	/** A lease of 30 s and a retention of 10 minutes. */
	private static final String TIMES = "0000000000007530" + "00000000000927c0";

	private static TestRedis redis;

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	private static StoreSubmission submission() {
		return StoreSubmission.to(redis.store()).from(ORIGIN);
	}

	private static byte[] name(OperationKey key) {
		return ("idem:" + key.encoded()).getBytes(StandardCharsets.US_ASCII);
	}

	@Nested
	class RecordsOfTheFormerVersion {

		private final OperationKey key = submission().key();

		private final ClaimId claim = new ClaimId(this.key, OWNER,
				new Fingerprint(Digest.of(HexFormat.of().parseHex(ID.substring(40)))), 1);

		private RecordSnapshot read(String record) {
			redis.ask((connection) -> connection.stringCommands()
				.set(name(this.key), HexFormat.of().parseHex(record), SetCondition.upsert(), Expiration.from(LIFE)));
			return redis.store().inspect(this.key);
		}

		@Test
		void anIssuedKeyIsRead() {
			assertThat(read("01010000000000").state()).isEqualTo(RecordState.ISSUED);
		}

		@Test
		void aClaimIsReadRenewedAndCompleted() {
			RecordSnapshot running = read("010200" + ID + TIMES);
			assertThat(running.state()).isEqualTo(RecordState.IN_PROGRESS);
			assertThat(running.owner()).isEqualTo(OWNER);
			assertThat(running.attempt()).isEqualTo(1);
			assertThat(running.origin()).isNull();
			assertThat(redis.store().renew(this.claim, Duration.ofSeconds(20))).isEqualTo(Ownership.HELD);
			assertThat(redis.store().complete(this.claim, ANSWER, LIFE)).isEqualTo(Ownership.HELD);
			assertThat(redis.store().inspect(this.key).outcome()).isEqualTo(ANSWER);
		}

		@Test
		void anUnknownOutcomeIsReadAndReleased() {
			assertThat(read("010200" + ID + "0000000000000000" + TIMES.substring(16)).state())
				.isEqualTo(RecordState.UNKNOWN);
			assertThat(redis.store().settle(new Settlement(this.key, OWNER, 1, Kind.RELEASE, false, new Owner(1, 2))))
				.isEqualTo(SettlementResult.SETTLED);
		}

		@Test
		void outcomesAreRead() {
			assertThat(read("010300" + ID + "00000003" + "070809").outcome()).isEqualTo(ANSWER);
			assertThat(read("010400" + ID).outcome()).isEqualTo(Outcome.TOMBSTONE);
			assertThat(read("010500" + ID + TIMES).state()).isEqualTo(RecordState.COMPLETED);
		}

	}

	@Nested
	class RecordsOfThisVersion {

		@Test
		void aClaimIsInProgressForTheFormerVersion() throws IOException {
			StoreSubmission running = submission();
			running.granted();
			assertThat(formerClaim(running.again(), "").get(0)).isEqualTo((long) IN_PROGRESS);
		}

		@Test
		void anOutcomeIsDoneForTheFormerVersion() throws IOException {
			StoreSubmission done = submission();
			done.complete(done.granted(), ANSWER);
			List<Object> reply = formerClaim(done.again(), "");
			assertThat(reply.get(0)).isEqualTo((long) DONE);
			assertThat(RecordFormat.outcome((byte[]) reply.get(2))).isEqualTo(ANSWER);
		}

		@Test
		void theFormerVersionTakesOverAndLeavesNoFalseOrigin() throws IOException {
			StoreSubmission lapsed = submission();
			lapsed.release(lapsed.granted(), Release.UNKNOWN);
			assertThat(formerClaim(lapsed.again(), "").get(0)).isEqualTo((long) UNKNOWN);
			assertThat(redis.store().inspect(lapsed.key()).origin()).isEqualTo(ORIGIN);
			assertThat(formerClaim(lapsed.again(), "T")).isEqualTo(List.of(1L, 2L, 1L));
			assertThat(redis.store().inspect(lapsed.key()).origin()).isNull();
		}

		@Test
		void theFormerVersionFollowsAnOperator() throws IOException {
			for (Kind kind : Kind.values()) {
				StoreSubmission running = submission();
				ClaimId claim = running.granted();
				redis.store().settle(new Settlement(claim.key(), claim.owner(), 1, kind, true, new Owner(1, 2)));
				assertThat(formerClaim(running.again(), "").get(0)).isEqualTo((kind == Kind.RELEASE) ? 1L : DONE);
				assertThat(redis.store().complete(claim, ANSWER, LIFE)).isEqualTo(Ownership.LOST);
			}
		}

		@Test
		void anOwnerOfTheFormerVersionCompletesAndADuplicateOfThisOneIsAnswered() throws IOException {
			StoreSubmission running = submission();
			assertThat(formerClaim(running, "").get(0)).isEqualTo(0L);
			assertThat(running.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
			ClaimId claim = running.claimId(1);
			former("complete", running.key(), RecordFormat.finished(claim, ANSWER), ascii(LIFE.toMillis()));
			ClaimResult.Completed done = (ClaimResult.Completed) running.again().claim();
			assertThat(done.outcome()).isEqualTo(ANSWER);
			assertThat(done.origin()).isNull();
		}

		private static List<Object> formerClaim(StoreSubmission submission, String letters) throws IOException {
			return former("claim", submission.key(),
					RecordFormat.claimed(submission.request(), 30_000, LIFE.toMillis()), ascii(LIFE.toMillis()),
					ascii(letters));
		}

		private static List<Object> former(String script, OperationKey key, byte[]... arguments) throws IOException {
			byte[] source = text(script).replace("-- record.lua\n", text("record")).getBytes(StandardCharsets.UTF_8);
			byte[][] all = new byte[1 + arguments.length][];
			all[0] = name(key);
			System.arraycopy(arguments, 0, all, 1, arguments.length);
			return redis.ask((connection) -> connection.scriptingCommands().eval(source, ReturnType.MULTI, 1, all));
		}

		private static String text(String script) throws IOException {
			try (InputStream former = Objects
				.requireNonNull(RedisRollingUpgradeTests.class.getResourceAsStream("former/" + script + ".lua"))) {
				return new String(former.readAllBytes(), StandardCharsets.UTF_8);
			}
		}

		private static byte[] ascii(Object value) {
			return value.toString().getBytes(StandardCharsets.US_ASCII);
		}

	}

}

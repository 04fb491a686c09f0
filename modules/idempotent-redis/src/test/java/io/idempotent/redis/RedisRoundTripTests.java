package io.idempotent.redis;

import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimId;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every command the server ran, those inside scripts included. What a client sent is the
 * {@code evalsha}, or the single {@code set}; the rest is the script's.
 */
class RedisRoundTripTests {

	private static final Pattern CALLS = Pattern.compile("calls=(\\d+)");

	@AutoClose
	private static TestRedis redis;

	@BeforeAll
	static void startAndLoadScripts() {
		redis = TestRedis.start();
		loadScripts();
	}

	private static void loadScripts() {
		StoreSubmission submission = submission();
		ClaimId claim = submission.granted();
		redis.store().renew(claim, LEASE);
		submission.release(claim, Release.UNKNOWN);
		submission.complete(claim, Outcome.TOMBSTONE);
		StoreSubmission large = submission();
		large.complete(large.granted(), Outcome.stored(new byte[4096]));
		large.again().caching().claim();
	}

	private static StoreSubmission submission() {
		return StoreSubmission.to(redis.store());
	}

	@Test
	void anIssueIsOneSet() {
		assertThat(ranDuring(() -> submission().issued(RETENTION))).isEqualTo(Map.of("set", 1));
	}

	@Test
	void aClaimIsOneSetAndAScriptIfAnotherHasTheKey() {
		StoreSubmission first = submission();
		assertThat(ranDuring(first::claim)).isEqualTo(Map.of("set", 1));
		assertThat(ranDuring(() -> first.again().claim()))
			.isEqualTo(Map.of("set", 1, "evalsha", 1, "get", 1, "pttl", 1));
	}

	@Test
	void aClaimOfAnIssuedKeyIsOneScript() {
		StoreSubmission first = submission().ifIssued().issued(RETENTION);
		assertThat(ranDuring(first::claim)).isEqualTo(Map.of("evalsha", 1, "get", 1, "pttl", 1, "set", 1));
	}

	@Test
	void theExpiryOfATokenCostsOneMoreRead() {
		StoreSubmission first = submission().ifIssued().issued(RETENTION);
		ClaimId claim = first.granted();
		assertThat(ranDuring(() -> redis.store().renew(claim, LEASE)))
			.isEqualTo(Map.of("evalsha", 1, "get", 1, "pttl", 1, "setrange", 1, "pexpire", 1));
		assertThat(ranDuring(() -> first.release(claim, Release.NO_EFFECT)))
			.isEqualTo(Map.of("evalsha", 1, "get", 1, "pttl", 1, "set", 1));
	}

	@Test
	void anOriginCostsNoCommand() {
		StoreSubmission first = submission()
			.from(new Origin(Origin.application("shop"), "Orders.place", "node", null, Instant.now()));
		ClaimId claim = first.granted();
		assertThat(ranDuring(() -> submission().from(first.request().origin()).claim())).isEqualTo(Map.of("set", 1));
		first.complete(claim, Outcome.TOMBSTONE);
		assertThat(ranDuring(() -> first.again().claim())).isEqualTo(Map.of("set", 1));
	}

	@Test
	void anUnknownOutcomeIsMarkedByASecondScript() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		Map<String, Integer> note = Map.of("zadd", 1, "zremrangebyrank", 1, "pexpire", 1);
		assertThat(ranDuring(() -> first.release(claim, Release.UNKNOWN))).containsAllEntriesOf(note)
			.containsEntry("evalsha", 2);
		assertThat(ranDuring(() -> first.again().leavingLapsed().claim())).containsAllEntriesOf(note)
			.containsEntry("evalsha", 2);
	}

	@Test
	void anInspectionIsOneScriptThatWritesNothing() {
		StoreSubmission first = submission();
		redis.store().inspect(first.key());
		first.granted();
		assertThat(ranDuring(() -> redis.store().inspect(first.key())))
			.isEqualTo(Map.of("evalsha", 1, "get", 1, "pttl", 1));
	}

	@Test
	void aRepeatIsOneSet() {
		StoreSubmission first = submission();
		first.complete(first.granted(), Outcome.TOMBSTONE);
		assertThat(ranDuring(() -> first.again().claim())).isEqualTo(Map.of("set", 1));
		assertThat(ranDuring(() -> first.again().asking("other").claim())).isEqualTo(Map.of("set", 1));
	}

	@Test
	void aRepeatThatIsCachedCostsAScriptThatDoesNotReadTheAnswer() {
		StoreSubmission first = submission();
		first.complete(first.granted(), Outcome.TOMBSTONE);
		assertThat(ranDuring(() -> first.again().caching().claim()))
			.isEqualTo(Map.of("set", 1, "evalsha", 1, "getrange", 1, "pttl", 1));
	}

	@Test
	void aLargeAnswerIsNoArgumentOfAScript() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		assertThat(ranDuring(() -> first.complete(claim, Outcome.stored(new byte[4096]))))
			.isEqualTo(Map.of("set", 1, "evalsha", 1, "get", 1, "pexpire", 1, "rename", 1));
	}

	@Test
	void aLargeAnswerAndItsScriptAreReadAtOnce() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		long before = reads();
		first.complete(claim, Outcome.stored(new byte[4096]));
		// And our own question.
		assertThat(reads() - before).isEqualTo(1 + 1);
	}

	private static long reads() {
		return Long.parseLong(redis.ask((connection) -> connection.serverCommands().info("stats"))
			.getProperty("total_reads_processed"));
	}

	@Test
	void aLargeAnswerWakesThoseWhoListen() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		first.again().listening().claim();
		assertThat(ranDuring(() -> first.complete(claim, Outcome.stored(new byte[4096]))))
			.isEqualTo(Map.of("set", 2, "evalsha", 2, "get", 2, "del", 1, "publish", 1));
	}

	@Test
	void anOwnersCallIsOneScriptThatPublishesNothing() {
		StoreSubmission completed = submission();
		ClaimId claim = completed.granted();
		assertThat(ranDuring(() -> redis.store().renew(claim, LEASE)))
			.isEqualTo(Map.of("evalsha", 1, "get", 1, "pexpire", 1));
		assertThat(ranDuring(() -> completed.complete(claim, Outcome.TOMBSTONE)))
			.isEqualTo(Map.of("evalsha", 1, "get", 1, "set", 1));
		ClaimId third = submission().granted();
		assertThat(ranDuring(() -> redis.store().release(third, Release.NO_EFFECT)))
			.isEqualTo(Map.of("evalsha", 1, "get", 1, "del", 1));
	}

	@Test
	void aWakeUpIsPublishedIfThereIsAListener() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		assertThat(ranDuring(() -> first.again().listening().claim()))
			.isEqualTo(Map.of("evalsha", 1, "get", 1, "pttl", 1, "setrange", 1));
		assertThat(ranDuring(() -> first.again().listening().claim()))
			.isEqualTo(Map.of("evalsha", 1, "get", 1, "pttl", 1));
		assertThat(ranDuring(() -> first.complete(claim, Outcome.TOMBSTONE)))
			.isEqualTo(Map.of("evalsha", 1, "get", 1, "set", 1, "publish", 1));
		assertThat(ranDuring(() -> first.complete(claim, Outcome.TOMBSTONE))).isEqualTo(Map.of("evalsha", 1, "get", 1));
	}

	@Test
	void listeningSurvivesRenewalReadBackAndTakeover() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		first.again().listening().claim();
		redis.store().renew(claim, LEASE);
		first.granted();
		assertThat(ranDuring(() -> first.release(claim, Release.UNKNOWN))).containsEntry("publish", 1);
		StoreSubmission second = first.again();
		ClaimId takenOver = second.granted();
		assertThat(ranDuring(() -> second.release(takenOver, Release.NO_EFFECT))).containsEntry("publish", 1);
	}

	@Test
	void aScriptThatRedisForgotIsSentAgain() {
		redis.ask((connection) -> {
			connection.scriptingCommands().scriptFlush();
			return true;
		});
		StoreSubmission first = submission().ifIssued();
		assertThat(ranDuring(first::claim)).isEqualTo(Map.of("evalsha", 1, "eval", 1, "get", 1));
		assertThat(ranDuring(() -> first.again().claim())).isEqualTo(Map.of("evalsha", 1, "get", 1));
		loadScripts();
	}

	private static Map<String, Integer> ranDuring(Runnable call) {
		Map<String, Integer> before = ran();
		call.run();
		Map<String, Integer> during = ran();
		before.forEach((command, calls) -> during.merge(command, -calls, Integer::sum));
		during.values().removeIf((calls) -> calls == 0);
		return during;
	}

	private static Map<String, Integer> ran() {
		Properties info = redis.ask((connection) -> connection.serverCommands().info("commandstats"));
		Map<String, Integer> ran = new TreeMap<>();
		info.forEach((command, statistics) -> {
			Matcher calls = CALLS.matcher(statistics.toString());
			if (calls.find()) {
				ran.put(command.toString().replace("cmdstat_", ""), Integer.valueOf(calls.group(1)));
			}
		});
		// Our own question.
		ran.remove("info");
		return ran;
	}

}

package io.idempotent.lock.administration.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.administration.autoconfigure.LocksNode.Reply;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Two nodes with locks in Redis and in a database: on the first one operators may only
 * read, as by default, on the second one they may write.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class LocksEndpointTests {

	private static EmbeddedRedis redis;

	private static LocksNode readOnly;

	private static LocksNode writable;

	private final String name = "report:" + UUID.randomUUID();

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
		readOnly = LocksNode.start("node-1", redis, database,
				"spring.main.sources=" + LocksNode.Switching.class.getName());
		writable = LocksNode.start("node-2", redis, database, "management.endpoint.locks.access=unrestricted");
	}

	@AfterAll
	static void stop() {
		writable.close();
		readOnly.close();
		redis.close();
	}

	private Reply release(String engine, String reason) {
		return writable.post("operator",
				Map.of("action", "release", "name", this.name, "engine", engine, "reason", reason));
	}

	@Test
	void showsWhatThisNodeHolds() {
		DistributedLock lock = readOnly.locks().get(this.name);
		lock.lock();
		try {
			Reply reply = readOnly.get("reader", "");
			assertThat(reply.status()).isEqualTo(200);
			assertThat(reply.json()).containsEntry("engine", "redisson")
				.containsEntry("engines", List.of("redisson", "jdbc", "jdbc-transaction", "local"))
				.containsEntry("epoch", 7)
				.containsEntry("switch", Map.of("target", "jdbc", "waitingFor", List.of("1@host (1 lock)")));
			Map<String, Object> held = held(reply).get(0);
			assertThat(held).containsEntry("engine", "redisson")
				.containsEntry("mode", "write")
				.containsEntry("thread", Thread.currentThread().getName())
				.containsEntry("token", lock.fencingToken())
				.containsEntry("valid", true);
			assertThat(Duration.parse((String) held.get("leaseLeft"))).isBetween(Duration.ofMillis(1),
					Duration.ofSeconds(3));
			assertThat(Instant.parse((String) held.get("since"))).isBetween(Instant.now().minusSeconds(20),
					Instant.now().plusSeconds(1));
		}
		finally {
			lock.unlock();
		}
		assertThat(held(readOnly.get("reader", ""))).isEmpty();
	}

	@Test
	void showsReadersOfEachEngine() {
		for (String engine : List.of("redisson", "local")) {
			DistributedLock lock = readOnly.locks()
				.get(this.name, LockOptions.DEFAULTS.withEngine(engine).withMode(LockMode.READ));
			lock.lock();
			assertThat(held(readOnly.get("reader", ""))).singleElement()
				.satisfies((held) -> assertThat(held).containsEntry("engine", engine)
					.containsEntry("mode", "read")
					.doesNotContainKey("token"));
			lock.unlock();
			assertThat(held(readOnly.get("reader", ""))).isEmpty();
		}
	}

	@Test
	void showsThreadsThatWaitHereAndAtTheEngine() throws Exception {
		DistributedLock lock = writable.locks().get(this.name);
		lock.lock();
		List<CompletableFuture<Void>> waiting = List.of(take("waiter-1"), take("waiter-2"));
		await().untilAsserted(() -> assertThat(waiting(readOnly.get("reader", ""))).hasSize(2));
		assertThat(waiting(readOnly.get("reader", "")))
			.allSatisfy((each) -> assertThat(each).containsEntry("engine", "redisson")
				.containsEntry("mode", "write")
				.containsKey("since"))
			.extracting((each) -> each.get("thread"))
			.containsExactlyInAnyOrder("waiter-1", "waiter-2");
		lock.unlock();
		CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
		assertThat(waiting(readOnly.get("reader", ""))).isEmpty();
	}

	private CompletableFuture<Void> take(String thread) {
		CompletableFuture<Void> taken = new CompletableFuture<>();
		new Thread(() -> {
			DistributedLock lock = readOnly.locks().get(this.name);
			lock.lock();
			lock.unlock();
			taken.complete(null);
		}, thread).start();
		return taken;
	}

	@Test
	void showsTheNodeOfAHolder() {
		String engine = "jdbc";
		DistributedLock lock = writable.locks().get(this.name, LockOptions.DEFAULTS.withEngine(engine));
		lock.lock();
		try {
			Reply reply = inspect(readOnly, engine);
			assertThat(reply.json()).containsEntry("held", true)
				.containsEntry("engine", engine)
				.containsEntry("lastToken", lock.fencingToken());
			assertThat(reply.list("holders")).singleElement()
				.satisfies((holder) -> assertThat(holder).containsEntry("node", "node-2")
					.containsEntry("thisNode", false)
					.containsEntry("mode", "write")
					.containsEntry("token", lock.fencingToken())
					.containsKeys("owner", "leaseLeft"));
			assertThat(inspect(writable, engine).list("holders").get(0)).containsEntry("thisNode", true);
		}
		finally {
			lock.unlock();
		}
		assertThat(inspect(readOnly, engine).json()).containsEntry("held", false);
	}

	@Test
	void asksTheEngineInForceByDefault() {
		assertThat(readOnly.get("reader", "?name=" + this.name).json()).containsEntry("engine", "redisson")
			.containsEntry("held", false);
	}

	private Reply inspect(LocksNode node, String engine) {
		return node.get("reader", "?name=" + this.name + "&engine=" + engine);
	}

	private List<Map<String, Object>> held(Reply reply) {
		return reply.list("held").stream().filter((held) -> held.get("name").equals(this.name)).toList();
	}

	private List<Map<String, Object>> waiting(Reply reply) {
		return reply.list("waiting");
	}

	@Test
	void writingIsOffByDefault() {
		DistributedLock lock = readOnly.locks().get(this.name);
		lock.lock();
		Map<String, String> body = Map.of("action", "release", "name", this.name, "reason", "x");
		assertThat(readOnly.post("operator", body).status()).isIn(404, 405);
		assertThat(lock.isValid()).isTrue();
		lock.unlock();
	}

	@Test
	void aReleaseTakesALockAwayFromAnotherNode(CapturedOutput output) {
		String engine = "jdbc";
		LockOptions options = LockOptions.DEFAULTS.withEngine(engine);
		DistributedLock lock = readOnly.locks().get(this.name, options);
		lock.lock();
		Reply reply = release(engine, "node-1 hangs");
		assertThat(reply.status()).isEqualTo(200);
		assertThat(reply.json()).containsEntry("held", false);
		assertThat(reply.object("intervention")).containsEntry("action", "release")
			.containsEntry("name", this.name)
			.containsEntry("engine", engine)
			.containsEntry("by", "operator")
			.containsEntry("reason", "node-1 hangs")
			.containsEntry("result", "done");
		assertThat(output).contains("action=release lock=" + this.name + " engine=" + engine
				+ " by=operator reason=\"node-1 hangs\" result=done");
		await().until(() -> !lock.isValid());
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
	}

	@Test
	void aReleaseIsAnAuditEventOfSpringBoot() {
		release("redisson", "to be sure");
		assertThat(writable.audit().find("operator", null, "IDEMPOTENT_LOCK_RELEASE"))
			.anySatisfy((event) -> assertThat(event.getData()).containsEntry("lock", this.name)
				.containsEntry("engine", "redisson")
				.containsEntry("reason", "to be sure")
				.containsEntry("result", "nothing-to-do"));
		assertThat(writable.get("reader", "").list("interventions").get(0)).containsEntry("reason", "to be sure");
	}

	@Test
	void aReleaseOfATransactionIsRefusedWithAnAction(CapturedOutput output) {
		Reply reply = release("jdbc-transaction", "stuck");
		assertThat(reply.status()).isEqualTo(501);
		assertThat((String) reply.json().get("error")).contains("a row that an open transaction has locked",
				"pg_stat_activity");
		assertThat(output).contains("engine=jdbc-transaction by=operator reason=\"stuck\" result=failed");
	}

	@Test
	void anUnknownEngineIsRefusedWithTheList() {
		Reply reply = release("etcd", "stuck");
		assertThat(reply.status()).isEqualTo(400);
		assertThat((String) reply.json().get("error")).contains("There is no lock engine 'etcd'");
		assertThat(reply.json()).containsEntry("engines", List.of("redisson", "jdbc", "jdbc-transaction", "local"));
		assertThat(readOnly.get("reader", "?name=a&engine=etcd").status()).isEqualTo(400);
	}

	@Test
	void aReasonIsShort() {
		assertThat(release("redisson", "x".repeat(201)).status()).isEqualTo(400);
		assertThat(release("redisson", "x".repeat(200)).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"action\":\"unlock\",\"name\":\"a\",\"reason\":\"x\"}",
			"{\"action\":\"release\",\"reason\":\"x\"}", "{\"action\":\"release\",\"name\":\"a\"}",
			"{\"action\":\"switch\",\"reason\":\"x\"}", "{\"action\":\"release\",\"name\":\"a b\",\"reason\":\"x\"}",
			"{\"action\":" })
	void aMalformedRequestIsRefused(String body) {
		assertThat(writable.post("operator", body).status()).isEqualTo(400);
	}

	@Test
	void aMalformedNameIsRefused() {
		assertThat(readOnly.get("reader", "?name=" + "a".repeat(300)).status()).isEqualTo(400);
		assertThat(readOnly.get("reader", "?engine=jdbc").status()).isEqualTo(400);
		assertThat(readOnly.get("reader", "?name=a%0Ab&engine=jdbc").status()).isEqualTo(400);
	}

	@Test
	void aSwitchIsRefusedWhereItIsNotEnabled() {
		Reply reply = writable.post("operator", Map.of("action", "switch", "engine", "jdbc", "reason", "x"));
		assertThat(reply.status()).isEqualTo(501);
		assertThat((String) reply.json().get("error")).contains("idempotent.lock.switching.enabled=true");
	}

}

package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.RedisMonitor;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How many commands each server gets.
 */
@Timeout(60)
@Tag("slow")
class QuorumCostTests {

	private static final LockRequest REQUEST = new LockRequest("cost", Duration.ofMinutes(1), false);

	private static FiveServers five;

	private static QuorumLockEngine engine;

	private static QuorumLockEngine otherEngine;

	@BeforeAll
	static void startAndLoadTheScripts() throws Exception {
		five = FiveServers.start();
		engine = five.node();
		otherEngine = five.node();
		for (QuorumLockEngine each : List.of(engine, otherEngine)) {
			LockGrant grant = take(each);
			grant.renew(REQUEST.lease());
			grant.release(Duration.ZERO);
			awaitFree();
		}
	}

	@AfterAll
	static void stop() {
		engine.close();
		otherEngine.close();
		five.close();
	}

	@Test
	void aLockIsTwoCommandsAndARenewalAndAReleaseOneEach() throws Exception {
		List<RedisMonitor> monitors = monitors();
		LockGrant grant = take(engine);
		assertCommands(monitors, Map.of("evalsha", 2));
		grant.renew(REQUEST.lease());
		assertCommands(monitors, Map.of("evalsha", 1));
		assertThat(otherEngine.acquire(REQUEST, Duration.ZERO)).isNull();
		assertCommands(monitors, Map.of("evalsha", 1));
		grant.release(Duration.ZERO);
		assertCommands(monitors, Map.of("evalsha", 1));
		monitors.forEach(RedisMonitor::close);
	}

	@Test
	void waitingIsOneSubscription() throws Exception {
		LockGrant grant = take(engine);
		ExecutorService thread = Executors.newSingleThreadExecutor();
		List<RedisMonitor> monitors = monitors();
		Future<LockGrant> waiting = thread
			.submit(() -> requireNonNull(otherEngine.acquire(REQUEST, Duration.ofSeconds(20))));
		await().until(() -> five.servers()
			.stream()
			.allMatch((server) -> RedisTalk.ask(server, "PUBSUB NUMSUB cost:quorum").contains(":1")));
		grant.release(Duration.ZERO);
		waiting.get(20, TimeUnit.SECONDS).release(Duration.ZERO);
		thread.shutdown();
		monitors.forEach((monitor) -> assertThat(monitor.commands()).containsEntry("subscribe", 1));
		monitors.forEach(RedisMonitor::close);
		awaitFree();
	}

	private static List<RedisMonitor> monitors() {
		return five.servers().stream().map(RedisMonitor::of).toList();
	}

	/** A server that the majority did not wait for gets them too, a little later. */
	private static void assertCommands(List<RedisMonitor> monitors, Map<String, Integer> expected) {
		for (RedisMonitor monitor : monitors) {
			Map<String, Integer> commands = new TreeMap<>();
			await().until(() -> {
				monitor.commands().forEach((command, count) -> commands.merge(command, count, Integer::sum));
				return commands.equals(expected);
			});
		}
	}

	private static void awaitFree() {
		await().until(() -> five.servers()
			.stream()
			.allMatch((server) -> RedisTalk.ask(server, "EXISTS cost:quorum").startsWith(":0")));
	}

	private static LockGrant take(QuorumLockEngine engine) throws Exception {
		return requireNonNull(engine.acquire(REQUEST, Duration.ZERO));
	}

}

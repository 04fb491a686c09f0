package io.idempotent.switching;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How long a lock is asked for if its server does not respond: the table in
 * {@code docs/reference/lock-faults.md}. ZooKeeper is asked at once, on the thread that
 * has cut the connections: after 40 seconds its client gives the connection up, and sends
 * no request.
 */
@Execution(ExecutionMode.CONCURRENT)
class UnresponsiveEngineTests {

	private static LockServers servers;

	private static ConfigurableApplicationContext byDefault;

	private static ConfigurableApplicationContext bounded;

	@BeforeAll
	static void startAndCut() {
		servers = new LockServers();
		byDefault = start();
		bounded = start("--spring.data.redis.timeout=1s", "--idempotent.lock.quorum.timeout=1s",
				"--spring.datasource.hikari.connection-timeout=1000");
		DistributedLock first = lock(byDefault, "first", "redis");
		first.lock();
		first.unlock();
		servers.cut();
	}

	private static ConfigurableApplicationContext start(String... settings) {
		List<String> arguments = new ArrayList<>(servers.properties("zookeeper,redisson,redis,quorum,jdbc"));
		arguments.addAll(List.of(settings));
		return OneLock.application().run(arguments.toArray(String[]::new));
	}

	@AfterAll
	static void stop() {
		servers.heal();
		bounded.close();
		byDefault.close();
		servers.close();
	}

	@Execution(ExecutionMode.SAME_THREAD)
	@Test
	void theTimeToWaitBoundsZooKeeper() {
		assertThat(unavailableAfter(byDefault, "zookeeper", 1500)).isBetween(1500L, 4000L);
	}

	@Execution(ExecutionMode.SAME_THREAD)
	@Test
	void withoutATimeToWaitZooKeeperHasFiveSeconds() {
		assertThat(unavailableAfter(byDefault, "zookeeper", 0)).isBetween(4500L, 8000L);
	}

	@Test
	void redissonHasTheTimeoutOfRedis() {
		assertThat(unavailableAfter(bounded, "redisson", 100)).isBetween(900L, 4000L);
	}

	@Test
	void redissonHasThreeSecondsByDefault() {
		assertThat(unavailableAfter(byDefault, "redisson", 100)).isBetween(2900L, 9000L);
	}

	@Test
	void redisHasTheTimeoutOfRedis() {
		assertThat(unavailableAfter(bounded, "redis", 100)).isBetween(900L, 4000L);
	}

	@Test
	void redisHasThreeSecondsByDefaultOnceItIsConnected() {
		assertThat(unavailableAfter(byDefault, "redis", 100)).isBetween(2900L, 9000L);
	}

	@Test
	void aQuorumHasItsTimeout() {
		assertThat(unavailableAfter(bounded, "quorum", 100)).isBetween(900L, 2500L);
	}

	@Test
	void aDatabaseHasTheTimeoutsOfStatementAndDriver() {
		assertThat(unavailableAfter(bounded, "jdbc", 100)).isBetween(4500L, 30_000L);
	}

	/** In milliseconds. */
	private static long unavailableAfter(ConfigurableApplicationContext node, String engine, long wait) {
		DistributedLock lock = lock(node, engine + wait, engine);
		long start = System.nanoTime();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> lock.tryLock(wait, TimeUnit.MILLISECONDS));
		return Duration.ofNanos(System.nanoTime() - start).toMillis();
	}

	private static DistributedLock lock(ConfigurableApplicationContext node, String name, String engine) {
		return node.getBean(DistributedLocks.class).get(name, LockOptions.DEFAULTS.withEngine(engine));
	}

}

package io.idempotent.switching;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockUnavailableException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How long a lock is asked for if its server does not respond: the table in
 * {@code docs/reference/lock-faults.md}.
 */
class UnresponsiveEngineTests {

	private static LockServers servers;

	@BeforeAll
	static void start() {
		servers = new LockServers();
	}

	@AfterAll
	static void stop() {
		servers.close();
	}

	@Test
	void theTimeToWaitBoundsZooKeeper() {
		assertThat(unavailableAfter("zookeeper", 1500)).isBetween(1500L, 4000L);
	}

	@Test
	void withoutATimeToWaitZooKeeperHasFiveSeconds() {
		assertThat(unavailableAfter("zookeeper", 0)).isBetween(4500L, 8000L);
	}

	@Test
	void redissonHasTheTimeoutOfRedis() {
		assertThat(unavailableAfter("redisson", 100, "spring.data.redis.timeout=1s")).isBetween(900L, 4000L);
	}

	@Test
	void redissonHasThreeSecondsByDefault() {
		assertThat(unavailableAfter("redisson", 100)).isBetween(2900L, 9000L);
	}

	@Test
	void aQuorumHasItsTimeout() {
		assertThat(unavailableAfter("quorum", 100, "idempotent.lock.quorum.timeout=1s")).isBetween(900L, 2500L);
	}

	@Test
	void aDatabaseHasTheTimeoutsOfStatementAndDriver() {
		assertThat(unavailableAfter("jdbc", 100, "spring.datasource.hikari.connection-timeout=1000")).isBetween(4500L,
				30_000L);
	}

	/** In milliseconds. */
	private static long unavailableAfter(String engine, long wait, String... settings) {
		List<String> arguments = new ArrayList<>(servers.properties(engine));
		for (String setting : settings) {
			arguments.add("--" + setting);
		}
		try (ConfigurableApplicationContext node = OneLock.application().run(arguments.toArray(String[]::new))) {
			DistributedLock lock = node.getBean(DistributedLocks.class).get("a");
			servers.cut();
			long start = System.nanoTime();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> lock.tryLock(wait, TimeUnit.MILLISECONDS));
			long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
			return millis;
		}
		finally {
			servers.heal();
		}
	}

}

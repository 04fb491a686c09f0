package io.idempotent.health.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.lock.RedissonClientAutoConfiguration;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.administration.SwitchControl;
import io.idempotent.lock.zookeeper.autoconfigure.ZooKeeperLockAutoConfiguration;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.TestPostgres;
import io.idempotent.testing.TestZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Health of applications on real servers that are stopped, full or hang.
 */
@Tag("slow")
class HealthTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, GuardAutoConfiguration.class, RedissonClientAutoConfiguration.class,
				LockAutoConfiguration.class, IdempotencyHealthAutoConfiguration.class))
		.withPropertyValues("spring.application.name=shop");

	private static Health health(ApplicationContext context, String name) {
		return context.getBean(name + "HealthIndicator", HealthIndicator.class).health();
	}

	/** A check that has not asked yet. */
	private static HealthCheck newStoreCheck(ApplicationContext context) {
		return context.getBean(HealthChecksConfiguration.StoreHealthConfiguration.class)
			.storeHealthCheck(context.getBean(IdempotencyGate.class), context.getBean(IdempotencyStore.class),
					context.getEnvironment());
	}

	private static void assertDown(HealthReport report) {
		assertThat(report.status()).isEqualTo(Status.DOWN.getCode());
		assertThat(report.details()).containsKeys("problem", "consequence");
	}

	private ApplicationContextRunner on(int port) {
		return this.runner.withPropertyValues("idempotent.lock.enabled=false", "spring.data.redis.port=" + port,
				"idempotent.store.redis.timeout=1m", "spring.data.redis.timeout=1m");
	}

	@Test
	void aStoppedRedisIsReportedAsDown() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			on(redis.port()).run((context) -> {
				assertThat(health(context, "idempotentStore"))
					.isEqualTo(Health.up().withDetail("store", "redis").build());
				redis.stop();
				HealthReport down = newStoreCheck(context).report();
				assertDown(down);
				assertThat((String) down.details().get("consequence")).contains("503 store-unavailable");
			});
		}
	}

	@Test
	void aFullRedisIsDown() {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--maxmemory", "1", "--maxmemory-policy", "noeviction")) {
			on(redis.port()).run((context) -> assertThat(health(context, "idempotentStore"))
				.satisfies((health) -> assertThat(health.getStatus()).isEqualTo(Status.DOWN))
				.satisfies((health) -> assertThat((String) health.getDetails().get("problem")).contains("OOM")));
		}
	}

	@Test
	void aHangingRedisDoesNotBlockForLong() throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				FaultyProxy proxy = new FaultyProxy(redis.host(), redis.port())) {
			on(proxy.port()).run((context) -> {
				HealthCheck check = newStoreCheck(context);
				proxy.freeze();
				long start = System.nanoTime();
				List<HealthReport> reports = Stream.generate(check::report).limit(60).toList();
				Duration took = Duration.ofNanos(System.nanoTime() - start);
				proxy.thaw();
				assertThat(reports).allSatisfy((report) -> {
					assertDown(report);
					assertThat((String) report.details().get("problem")).startsWith("It has not responded for ");
				});
				assertThat(took).as("a second for the first, and nothing for the others")
					.isBetween(Duration.ofMillis(900), Duration.ofSeconds(30));
			});
		}
	}

	@Test
	void anUnexpectedExceptionIsDown() {
		IdempotencyGate gate = mock();
		given(gate.status()).willThrow(new IllegalStateException("broken"));
		this.runner.withBean(IdempotencyGate.class, () -> gate)
			.withPropertyValues("idempotent.store.type=local", "idempotent.lock.enabled=false")
			.run((context) -> assertThat(health(context, "idempotentStore").getStatus()).isEqualTo(Status.DOWN));
	}

	@Test
	void anUnusedEngineIsNotChecked() {
		this.runner
			.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=redisson",
					"spring.data.redis.port=1")
			.run((context) -> assertThat(health(context, "lockEngine").getStatus()).isEqualTo(Status.UNKNOWN));
	}

	@Test
	void aStoppedZooKeeperIsDown() throws Exception {
		try (TestZooKeeper zooKeeper = TestZooKeeper.start()) {
			this.runner.withConfiguration(AutoConfigurations.of(ZooKeeperLockAutoConfiguration.class))
				.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=zookeeper",
						"idempotent.lock.zookeeper.connect-string=" + zooKeeper.connectString())
				.run((context) -> {
					DistributedLock lock = context.getBean(DistributedLocks.class).get("stock");
					lock.lock();
					lock.unlock();
					assertThat(health(context, "lockEngine"))
						.isEqualTo(Health.up().withDetail("engine", "zookeeper").build());
					zooKeeper.stop();
					LockEngineHealthCheck check = new LockEngineHealthCheck(
							() -> context.getBean(DistributedLocks.class),
							context.getBeanProvider(SwitchControl.class));
					check.onEvent(new LockEvent(LockEvent.Type.OBTAINED, "stock", "zookeeper", Duration.ZERO, 1));
					assertDown(check.report());
				});
		}
	}

	@Test
	void aStoppedPostgresIsDown() {
		try (TestPostgres postgres = TestPostgres.start()) {
			this.runner
				.withPropertyValues("idempotent.store.type=local", "idempotent.lock.enabled=false",
						"idempotent.guard.enabled=true", "idempotent.initialize-schema=always",
						"spring.datasource.url=" + postgres.url(), "spring.datasource.hikari.connection-timeout=500",
						"spring.datasource.type=" + HikariDataSource.class.getName())
				.run((context) -> {
					Health up = health(context, "idempotentGuard");
					assertThat(up.getStatus()).isEqualTo(Status.UP);
					postgres.kill();
					assertDown(context.getBean(HealthChecksConfiguration.GuardHealthConfiguration.class)
						.guardHealthCheck(context.getBeanProvider(HealthChecksConfiguration.GuardCheck.class))
						.report());
				});
		}
	}

	@Test
	void fencesAreShownIfAMethodIsFenced() {
		ApplicationContextRunner guarded = this.runner.withPropertyValues("idempotent.store.type=local",
				"idempotent.lock.engines=local", "idempotent.guard.enabled=true",
				"spring.datasource.url=jdbc:h2:mem:guards");
		guarded.run((context) -> assertThat(health(context, "idempotentGuard").getDetails()).containsEntry("guards",
				List.of("receipts")));
		guarded.withBean(Settlement.class)
			.run((context) -> assertThat(health(context, "idempotentGuard").getDetails()).containsEntry("guards",
					List.of("receipts", "fences")));
	}

	@Test
	void indicatorsCanBeSwitchedOff() {
		this.runner
			.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local",
					"management.health.idempotent-store.enabled=false", "management.health.lock-engine.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
	}

	static class Settlement {

		@DistributedLocked(name = "settlement", fenced = true)
		public void settle() {
		}

	}

}

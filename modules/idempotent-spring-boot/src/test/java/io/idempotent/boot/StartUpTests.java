package io.idempotent.boot;

import java.util.List;
import java.util.UUID;

import io.idempotent.Idempotent;
import io.idempotent.boot.internal.start.StartUpFailureAnalyzer;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.embedded.Ports;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is checked and told when an application starts.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartUpTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class,
				GuardAutoConfiguration.class, IdempotencyAutoConfiguration.class));

	private final ApplicationContextRunner local = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(GuardAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				StartUpAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	@Test
	void oneLineDescribesTheConfiguration(CapturedOutput output) {
		StartUp
			.run(List.of(Pay.class), "spring.application.name=shop", "idempotent.guard.enabled=true",
					"idempotent.lock.engines=local", "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID())
			.close();
		assertThat(output.getAll().lines().filter((line) -> line.contains("Idempotency: "))).singleElement()
			.asString()
			.contains("namespace 'shop'", "records in LocalIdempotencyStore", "receipts in the application's database",
					"annotated operations: 1");
		assertThat(output).doesNotContain("Neither spring.application.name");
	}

	@Test
	void aDefaultNamespaceCausesAWarning(CapturedOutput output) {
		StartUp.run(List.of(), "idempotent.lock.engines=local").close();
		assertThat(output).contains("namespace 'application'")
			.contains("Neither spring.application.name nor idempotent.namespace is set")
			.contains("has no name either; set spring.application.name");
	}

	@Test
	void aGuardWithoutADatabaseDoesNotStart() {
		this.local.withPropertyValues("idempotent.guard.enabled=true").run((context) -> {
			assertThat(context).getFailure()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("idempotent.guard.enabled is 'true', but there is no DataSource bean");
			assertThat(new StartUpFailureAnalyzer(null).analyze(context.getStartupFailure()).getAction())
				.contains("spring.datasource.url");
		});
	}

	@Test
	void theConnectionToRedisIsMadeAtTheStart(CapturedOutput output) {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			this.runner
				.withPropertyValues("spring.data.redis.port=" + redis.port(), "idempotent.store.required-at-start=true")
				.run((context) -> {
					assertThat(context).hasNotFailed();
					assertThat(context.getBean(IdempotencyStore.class))
						.hasToString("Redis at localhost:" + redis.port());
					try (RedisConnection connection = context.getBean(RedisConnectionFactory.class).getConnection()) {
						assertThat(connection.serverCommands().info("commandstats")).containsKey("cmdstat_evalsha");
						assertThat(connection.serverCommands().dbSize()).isZero();
					}
				});
		}
		assertThat(output).doesNotContain("a probe");
	}

	@Test
	void anUnavailableStoreIsLoggedAndDoesNotPreventTheStart(CapturedOutput output) {
		int port = Ports.findFree();
		this.runner
			.withPropertyValues("spring.data.redis.port=" + port, "spring.data.redis.username=clerk",
					"spring.data.redis.password=hidden")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getAll().lines().filter((line) -> line.contains("The store of idempotent operations fails")))
			.singleElement()
			.asString()
			.contains("since a probe, the renewal of a key that nobody has claimed, failed: ",
					"Redis at localhost:" + port, " for the renewal of key")
			.doesNotContain("clerk", "hidden");
	}

	@Test
	void anUnavailableStorePreventsTheStartOnRequest() {
		this.runner
			.withPropertyValues("spring.data.redis.port=" + Ports.findFree(), "idempotent.store.required-at-start=true")
			.run((context) -> {
				assertThat(context).getFailure().hasStackTraceContaining("StartUpException");
				assertThat(new StartUpFailureAnalyzer(null).analyze(context.getStartupFailure()).getDescription())
					.contains("no connection to Redis at localhost:");
			});
	}

	@Test
	void aMissingTableIsReportedAtTheStart(CapturedOutput output) {
		this.runner
			.withPropertyValues("idempotent.store.type=jdbc", "idempotent.initialize-schema=never",
					"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID())
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("a probe, ").contains("create it with the schema-*.sql");
	}

	static class Pay {

		@Idempotent(key = "#payment")
		void pay(String payment) {
		}

	}

}

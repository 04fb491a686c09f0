package io.idempotent.boot.lock;

import java.util.List;

import io.idempotent.embedded.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RedissonClientStandaloneTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(DataRedisAutoConfiguration.class, RedissonClientAutoConfiguration.class))
		// A refusal is final here; waiting for another one proves nothing.
		.withBean(RedissonConfigCustomizer.class, () -> (config) -> config.useSingleServer().setRetryAttempts(0));

	@Test
	void nothingIsConnectedBeforeTheClientIsUsed() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			at(redis).run((context) -> {
				context.getBean(RedissonClient.class).getLock("lock");
				assertThat(connections(redis)).isEmpty();
			});
		}
	}

	@Test
	void aClientInUseHoldsOneConnectionForCommandsAndOneForMessages() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			at(redis).withPropertyValues("spring.data.redis.client-name=orders").run((context) -> {
				assertThat(lock(context.getBean(RedissonClient.class))).isTrue();
				assertThat(connections(redis)).hasSize(2).allMatch((client) -> client.contains(" name=orders "));
			});
		}
	}

	@Test
	void aPasswordIsUsed() {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--requirepass", "secret")) {
			at(redis).withPropertyValues("spring.data.redis.password=secret")
				.run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
		}
	}

	@Test
	void aWrongPasswordFails() {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--requirepass", "secret")) {
			at(redis).withPropertyValues("spring.data.redis.password=wrong")
				.run((context) -> assertThatExceptionOfType(RedisException.class)
					.isThrownBy(() -> lock(context.getBean(RedissonClient.class)))
					.havingRootCause()
					.withMessageContaining("WRONGPASS"));
		}
	}

	@Test
	void aUserNameWithAPasswordIsUsed() {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--user", "default", "off", "--user", "locker", "on", ">secret",
				"~*", "&*", "+@all")) {
			at(redis).withPropertyValues("spring.data.redis.username=locker", "spring.data.redis.password=secret")
				.run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
		}
	}

	@Test
	void theDatabaseIsTheOneOfSpringDataRedis() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			at(redis).withPropertyValues("spring.data.redis.database=3").run((context) -> {
				lock(context.getBean(RedissonClient.class));
				assertThat(connections(redis)).isNotEmpty().allMatch((client) -> client.contains(" db=3 "));
			});
		}
	}

	@Test
	void aServerThatComesBackIsFoundByTheSameClient() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			redis.stop();
			at(redis).run((context) -> {
				RedissonClient client = context.getBean(RedissonClient.class);
				assertThatExceptionOfType(RedisException.class).isThrownBy(() -> lock(client));
				redis.restart();
				assertThat(lock(client)).isTrue();
			});
		}
	}

	private ApplicationContextRunner at(EmbeddedRedis redis) {
		return this.runner.withPropertyValues("spring.data.redis.host=" + redis.host(),
				"spring.data.redis.port=" + redis.port());
	}

	private static boolean lock(RedissonClient client) {
		return client.getLock("lock").tryLock();
	}

	private static List<String> connections(EmbeddedRedis redis) {
		try (RedisClient client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
				StatefulRedisConnection<String, String> connection = client.connect()) {
			return connection.sync().clientList().lines().filter((line) -> !line.contains(" cmd=client")).toList();
		}
	}

}

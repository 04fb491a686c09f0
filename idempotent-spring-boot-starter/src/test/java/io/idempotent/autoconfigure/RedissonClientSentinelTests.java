package io.idempotent.autoconfigure;

import java.io.IOException;
import java.nio.file.Path;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.redisson.api.RedissonClient;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RedissonClientSentinelTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(DataRedisAutoConfiguration.class, RedissonClientAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.sentinel.master=orders");

	@TempDir
	Path directory;

	@Test
	void aLockIsTakenFromTheMasterThatTheSentinelNames() throws IOException {
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				RedissonSentinel sentinel = RedissonSentinel.start(this.directory, redis)) {
			at(sentinel).run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
		}
	}

	@Test
	void sentinelAndMasterHaveTheirOwnPasswords() throws IOException {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--requirepass", "secret");
				RedissonSentinel sentinel = RedissonSentinel.start(this.directory, redis,
						"sentinel auth-pass orders secret", "requirepass watchword")) {
			at(sentinel)
				.withPropertyValues("spring.data.redis.password=secret",
						"spring.data.redis.sentinel.password=watchword")
				.run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
		}
	}

	@Test
	void onlyTheSentinelHasAPassword() throws IOException {
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				RedissonSentinel sentinel = RedissonSentinel.start(this.directory, redis, "requirepass watchword")) {
			at(sentinel).withPropertyValues("spring.data.redis.sentinel.password=watchword")
				.run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
		}
	}

	@Test
	void onlyTheMasterHasAPassword() throws IOException {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--requirepass", "secret");
				RedissonSentinel sentinel = RedissonSentinel.start(this.directory, redis,
						"sentinel auth-pass orders secret")) {
			at(sentinel).withPropertyValues("spring.data.redis.password=secret")
				.run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
		}
	}

	private ApplicationContextRunner at(RedissonSentinel sentinel) {
		return this.runner.withPropertyValues("spring.data.redis.sentinel.nodes=" + sentinel.address());
	}

	private static boolean lock(RedissonClient client) {
		return client.getLock("lock").tryLock();
	}

}

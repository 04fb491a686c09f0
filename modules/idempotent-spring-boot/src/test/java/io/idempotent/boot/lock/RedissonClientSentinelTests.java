package io.idempotent.boot.lock;

import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Test;
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

	@Test
	void aLockIsTakenFromTheMasterThatTheSentinelNames() {
		try (EmbeddedRedis redis = EmbeddedRedis.start(); EmbeddedRedis sentinel = startSentinel(redis)) {
			at(sentinel).run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
		}
	}

	@Test
	void sentinelAndMasterHaveTheirOwnPasswords() {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--requirepass", "secret");
				EmbeddedRedis sentinel = startSentinel(redis, "sentinel auth-pass orders secret",
						"requirepass watchword")) {
			at(sentinel)
				.withPropertyValues("spring.data.redis.password=secret",
						"spring.data.redis.sentinel.password=watchword")
				.run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
		}
	}

	@Test
	void onlyTheSentinelHasAPassword() {
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				EmbeddedRedis sentinel = startSentinel(redis, "requirepass watchword")) {
			at(sentinel).withPropertyValues("spring.data.redis.sentinel.password=watchword")
				.run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
		}
	}

	@Test
	void onlyTheMasterHasAPassword() {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--requirepass", "secret");
				EmbeddedRedis sentinel = startSentinel(redis, "sentinel auth-pass orders secret")) {
			at(sentinel).withPropertyValues("spring.data.redis.password=secret")
				.run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
		}
	}

	private static EmbeddedRedis startSentinel(EmbeddedRedis master, String... settings) {
		return EmbeddedRedis.startSentinel(
				Stream
					.concat(Stream.of("sentinel monitor orders " + master.host() + " " + master.port() + " 1"),
							Stream.of(settings))
					.toArray(String[]::new));
	}

	private ApplicationContextRunner at(EmbeddedRedis sentinel) {
		return this.runner
			.withPropertyValues("spring.data.redis.sentinel.nodes=" + sentinel.host() + ":" + sentinel.port());
	}

	private static boolean lock(RedissonClient client) {
		return client.getLock("lock").tryLock();
	}

}

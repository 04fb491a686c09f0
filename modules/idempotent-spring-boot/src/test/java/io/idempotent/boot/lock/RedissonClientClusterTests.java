package io.idempotent.boot.lock;

import java.util.stream.IntStream;

import io.idempotent.embedded.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("slow")
class RedissonClientClusterTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(DataRedisAutoConfiguration.class, RedissonClientAutoConfiguration.class));

	@Test
	void aLockIsTakenInAClusterWithAPassword() {
		try (EmbeddedRedis redis = start()) {
			assignAllSlots(redis);
			this.runner
				.withPropertyValues("spring.data.redis.cluster.nodes=" + redis.host() + ":" + redis.port(),
						"spring.data.redis.password=secret")
				.run((context) -> assertThat(context.getBean(RedissonClient.class).getLock("lock").tryLock()).isTrue());
		}
	}

	// A node that never met another does not know its own address; it must be told.
	private static EmbeddedRedis start() {
		return EmbeddedRedis.start("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1", "--requirepass",
				"secret");
	}

	private static void assignAllSlots(EmbeddedRedis redis) {
		RedisURI uri = RedisURI.builder()
			.withHost(redis.host())
			.withPort(redis.port())
			.withPassword("secret".toCharArray())
			.build();
		try (RedisClient client = RedisClient.create(uri);
				StatefulRedisConnection<String, String> connection = client.connect()) {
			connection.sync().clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT).toArray());
			await().until(() -> connection.sync().clusterInfo().contains("cluster_state:ok"));
		}
	}

}

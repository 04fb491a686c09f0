package io.idempotent.boot.lock;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RedissonClientMasterReplicaTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(DataRedisAutoConfiguration.class, RedissonClientAutoConfiguration.class));

	@Test
	void theMasterIsFoundAnywhereInTheListOfNodes() {
		try (EmbeddedRedis master = EmbeddedRedis.start("--repl-diskless-sync-delay", "0");
				EmbeddedRedis replica = EmbeddedRedis.start("--replicaof", master.host() + " " + master.port())) {
			this.runner
				.withPropertyValues("spring.data.redis.masterreplica.nodes=" + address(replica) + "," + address(master))
				.run((context) -> assertThat(context.getBean(RedissonClient.class).getLock("lock").tryLock()).isTrue());
		}
	}

	private static String address(EmbeddedRedis redis) {
		return redis.host() + ":" + redis.port();
	}

}

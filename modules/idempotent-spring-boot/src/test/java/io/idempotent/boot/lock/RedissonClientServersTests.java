package io.idempotent.boot.lock;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.api.RedissonClient;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The client takes locks on servers of each topology.
 */
class RedissonClientServersTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(DataRedisAutoConfiguration.class, RedissonClientAutoConfiguration.class));

	@Test
	void aClientHoldsNoConnectionBeforeItIsUsedAndTwoFromThenOn() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			this.runner
				.withPropertyValues("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
						"spring.data.redis.client-name=orders")
				.run((context) -> {
					context.getBean(RedissonClient.class).getLock("lock");
					assertThat(connections(redis)).isEmpty();
					assertThat(context.getBean(RedissonClient.class).getLock("lock").tryLock()).isTrue();
					assertThat(connections(redis)).as("for commands and for messages")
						.hasSize(2)
						.allMatch((client) -> client.contains(" name=orders "));
				});
		}
	}

	@ParameterizedTest
	@CsvSource({ "secret, watchword", "'', watchword", "secret, ''" })
	void sentinelAndMasterHaveTheirOwnPasswords(String password, String ofSentinel) {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--requirepass", password);
				EmbeddedRedis sentinel = EmbeddedRedis.startSentinel(monitor(redis),
						"sentinel auth-pass orders \"" + password + '"', "requirepass \"" + ofSentinel + '"')) {
			assertLocks(Stream
				.of("spring.data.redis.sentinel.master=orders", "spring.data.redis.sentinel.nodes=" + address(sentinel),
						"spring.data.redis.password=" + password, "spring.data.redis.sentinel.password=" + ofSentinel)
				.filter((property) -> !property.endsWith("="))
				.toArray(String[]::new));
		}
	}

	@Test
	void theMasterIsFoundAnywhereInTheListOfNodes() {
		try (EmbeddedRedis master = EmbeddedRedis.start("--repl-diskless-sync-delay", "0");
				EmbeddedRedis replica = EmbeddedRedis.start("--replicaof", master.host() + " " + master.port())) {
			assertLocks("spring.data.redis.masterreplica.nodes=" + address(replica) + "," + address(master));
		}
	}

	/** A node that never met another does not know its own address. */
	@Test
	@Tag("slow")
	void aLockIsTakenInAClusterWithAPassword() {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1",
				"--requirepass", "secret")) {
			assignAllSlots(redis);
			assertLocks("spring.data.redis.cluster.nodes=" + address(redis), "spring.data.redis.password=secret");
		}
	}

	private void assertLocks(String... properties) {
		this.runner.withPropertyValues(properties)
			.run((context) -> assertThat(context.getBean(RedissonClient.class).getLock("lock").tryLock()).isTrue());
	}

	private static String monitor(EmbeddedRedis master) {
		return "sentinel monitor orders " + master.host() + " " + master.port() + " 1";
	}

	private static String address(EmbeddedRedis redis) {
		return redis.host() + ":" + redis.port();
	}

	private static void assignAllSlots(EmbeddedRedis redis) {
		RedisURI uri = RedisURI.create("redis://secret@" + address(redis));
		try (RedisClient client = RedisClient.create(uri);
				StatefulRedisConnection<String, String> connection = client.connect()) {
			connection.sync().clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT).toArray());
			await().until(() -> connection.sync().clusterInfo().contains("cluster_state:ok"));
		}
	}

	private static List<String> connections(EmbeddedRedis redis) {
		try (RedisClient client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
				StatefulRedisConnection<String, String> connection = client.connect()) {
			return connection.sync().clientList().lines().filter((line) -> !line.contains(" cmd=client")).toList();
		}
	}

}

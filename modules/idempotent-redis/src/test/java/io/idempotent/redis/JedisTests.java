package io.idempotent.redis;

import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * Another client than Lettuce, whose own time-out is shorter than that of the store.
 */
@Tag("slow")
class JedisTests {

	private static final JedisClientConfiguration CLIENT = JedisClientConfiguration.builder()
		.readTimeout(Duration.ofMillis(500))
		.connectTimeout(Duration.ofMillis(500))
		.usePooling()
		.build();

	@Test
	void aClaimOfAClusterWhoseReplyIsLostMayHaveTakenEffect() throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--cluster-enabled", "yes", "--cluster-port", freePort(),
				"--cluster-announce-ip", "127.0.0.1");
				FaultyProxy network = new FaultyProxy(redis.host(), redis.port())) {
			RedisTalk.tell(redis, "CLUSTER ADDSLOTSRANGE 0 16383");
			RedisTalk.tell(redis, "CONFIG SET cluster-announce-port " + network.port());
			await().until(() -> RedisTalk.ask(redis, "CLUSTER INFO").contains("cluster_state:ok"));
			JedisConnectionFactory connections = new JedisConnectionFactory(
					new RedisClusterConfiguration(List.of("127.0.0.1:" + network.port())), CLIENT);
			try (RedisIdempotencyStore store = store(connections)) {
				await().ignoreExceptions().untilAsserted(() -> StoreSubmission.to(store).granted());
				network.freezeReplies();
				assertThat(failure(store).mayHaveTakenEffect()).isTrue();
				network.thawReplies();
			}
			finally {
				connections.destroy();
			}
		}
	}

	@Test
	void afterTwoTimeoutsOneCallAtATimeIsSent() {
		ExecutorService callers = Executors.newFixedThreadPool(10);
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				FaultyProxy network = new FaultyProxy(redis.host(), redis.port())) {
			JedisConnectionFactory connections = new JedisConnectionFactory(
					new RedisStandaloneConfiguration("127.0.0.1", network.port()), CLIENT);
			try (RedisIdempotencyStore store = store(connections)) {
				StoreSubmission.to(store).granted();
				network.freezeReplies();
				failure(store);
				failure(store);
				List<CompletableFuture<StoreUnavailableException>> failures = Stream
					.generate(() -> CompletableFuture.supplyAsync(() -> failure(store), callers))
					.limit(10)
					.toList();
				assertThat(failures).extracting(CompletableFuture::join)
					.extracting(StoreUnavailableException::mayHaveTakenEffect)
					.contains(false);
				network.thawReplies();
			}
			finally {
				connections.destroy();
			}
		}
		finally {
			callers.shutdownNow();
		}
	}

	private static RedisIdempotencyStore store(JedisConnectionFactory connections) {
		connections.afterPropertiesSet();
		connections.start();
		return new RedisIdempotencyStore(connections, "idem:", Duration.ofSeconds(2));
	}

	private static StoreUnavailableException failure(RedisIdempotencyStore store) {
		return catchThrowableOfType(StoreUnavailableException.class, () -> StoreSubmission.to(store).claim());
	}

	private static String freePort() throws Exception {
		try (ServerSocket socket = new ServerSocket(0)) {
			return String.valueOf(socket.getLocalPort());
		}
	}

}

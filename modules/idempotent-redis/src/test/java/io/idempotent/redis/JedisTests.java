package io.idempotent.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.RedisTalk;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStringCommands;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

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

	@AutoClose("destroy")
	private JedisConnectionFactory client;

	@Test
	void aClaimOfAClusterWhoseReplyIsLostMayHaveTakenEffect() throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--cluster-enabled", "yes", "--cluster-port", freePort(),
				"--cluster-announce-ip", "127.0.0.1");
				FaultyProxy network = new FaultyProxy(redis.host(), redis.port())) {
			RedisTalk.tell(redis, "CLUSTER ADDSLOTSRANGE 0 16383");
			RedisTalk.tell(redis, "CONFIG SET cluster-announce-port " + network.port());
			await().until(() -> RedisTalk.ask(redis, "CLUSTER INFO").contains("cluster_state:ok"));
			try (RedisIdempotencyStore store = store(new JedisConnectionFactory(
					new RedisClusterConfiguration(List.of("127.0.0.1:" + network.port())), CLIENT))) {
				await().ignoreExceptions().untilAsserted(() -> StoreSubmission.to(store).granted());
				network.freezeReplies();
				assertThat(failure(store).mayHaveTakenEffect()).isTrue();
				network.thawReplies();
			}
		}
	}

	@Test
	void thatNoConnectionOfAPoolIsFreeIsNoReply() {
		GenericObjectPoolConfig<Jedis> pool = new GenericObjectPoolConfig<>();
		pool.setMaxTotal(2);
		pool.setMaxWait(Duration.ofMillis(300));
		JedisClientConfiguration client = JedisClientConfiguration.builder()
			.readTimeout(Duration.ofSeconds(1))
			.usePooling()
			.poolConfig(pool)
			.build();
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				FaultyProxy network = new FaultyProxy(redis.host(), redis.port())) {
			try (RedisIdempotencyStore store = store(new JedisConnectionFactory(
					new RedisStandaloneConfiguration("127.0.0.1", network.port()), client))) {
				StoreSubmission.to(store).granted();
				network.freezeReplies();
				failures(store, 20);
				failures(store, 20);
				assertThat(failures(store, 20)).extracting(Throwable::getMessage)
					.filteredOn((message) -> message.contains("only one call at a time is sent"))
					.hasSizeGreaterThanOrEqualTo(15);
				network.thawReplies();
			}
		}
	}

	/** As with the connections of Redisson's modules for Spring Data Redis before 3.5. */
	@Test
	@SuppressWarnings("deprecation") // as Spring Data Redis before 4.1 has it
	void aConnectionWithoutSetAndGetDoesWithoutIt() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			JedisConnectionFactory old = new JedisConnectionFactory(
					new RedisStandaloneConfiguration(redis.host(), redis.port()), CLIENT) {
				@Override
				public RedisConnection getConnection() {
					RedisConnection connection = super.getConnection();
					RedisStringCommands strings = mock(RedisStringCommands.class,
							delegatesTo(connection.stringCommands()));
					willThrow(new StackOverflowError()).given(strings)
						.setGet(any(), any(), any(), any(SetOption.class));
					RedisConnection without = mock(RedisConnection.class, delegatesTo(connection));
					willReturn(strings).given(without).stringCommands();
					return without;
				}
			};
			try (RedisIdempotencyStore store = store(old)) {
				StoreSubmission submission = StoreSubmission.to(store);
				submission.granted();
				assertThat(submission.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
			}
		}
	}

	/** A host that accepts no connection, as if its packets were dropped. */
	@Test
	void aConnectionThatTimesOutIsNoReply() throws Exception {
		List<Socket> waiting = new ArrayList<>();
		try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			assumeThat(isFilled(silent, waiting)).as("the system bounds the connections that nobody accepts").isTrue();
			try (RedisIdempotencyStore store = store(new JedisConnectionFactory(
					new RedisStandaloneConfiguration("127.0.0.1", silent.getLocalPort()), CLIENT))) {
				failure(store);
				failure(store);
				failure(store);
				assertThat(failures(store, 10)).extracting(Throwable::getMessage)
					.filteredOn((message) -> message.contains("only one call at a time is sent"))
					.isNotEmpty();
			}
		}
		finally {
			for (Socket socket : waiting) {
				socket.close();
			}
		}
	}

	private static boolean isFilled(ServerSocket silent, List<Socket> waiting) throws IOException {
		for (int i = 0; i < 10; i++) {
			Socket socket = new Socket();
			waiting.add(socket);
			try {
				socket.connect(silent.getLocalSocketAddress(), 300);
			}
			catch (SocketTimeoutException ex) {
				return true;
			}
		}
		return false;
	}

	private static List<StoreUnavailableException> failures(RedisIdempotencyStore store, int together) {
		List<CompletableFuture<StoreUnavailableException>> failures = Stream
			.generate(() -> CompletableFuture.supplyAsync(() -> failure(store), (task) -> new Thread(task).start()))
			.limit(together)
			.toList();
		return failures.stream().map(CompletableFuture::join).toList();
	}

	private RedisIdempotencyStore store(JedisConnectionFactory connections) {
		this.client = connections;
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

package io.idempotent.store.redis;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A cluster of one node, which refuses a script that touches an undeclared key all the
 * same.
 */
class RedisClusterIdempotencyStoreTests extends IdempotencyStoreContract {

	private static TestRedis redis;

	@BeforeAll
	static void start() throws IOException {
		EmbeddedRedis server = EmbeddedRedis.start("--cluster-enabled", "yes", "--cluster-port",
				String.valueOf(freePort()), "--cluster-announce-ip", "127.0.0.1");
		formCluster(server);
		redis = TestRedis.connectTo(server,
				(node) -> new RedisClusterConfiguration(List.of(node.host() + ":" + node.port())));
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private static void formCluster(EmbeddedRedis server) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(server.host(), server.port());
		connections.start();
		try (RedisConnection connection = connections.getConnection()) {
			connection.execute("CLUSTER", bytes("ADDSLOTSRANGE"), bytes("0"), bytes("16383"));
			await().atMost(Duration.ofSeconds(20))
				.until(() -> new String((byte[]) connection.execute("CLUSTER", bytes("INFO")),
						StandardCharsets.US_ASCII)
					.contains("cluster_state:ok"));
		}
		finally {
			connections.destroy();
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Override
	protected IdempotencyStore store() {
		return redis.store();
	}

	@Override
	protected void pass(Duration time) {
		TestRedis.sleep(time);
	}

	@Test
	void aPolicyThatEvictsIsToldByAnyNode() {
		assertThat(redis.store().evictingPolicy()).isEmpty();
		redis.ask((connection) -> {
			connection.serverCommands().setConfig("maxmemory-policy", "volatile-lru");
			return true;
		});
		assertThat(redis.store().evictingPolicy()).contains("volatile-lru");
	}

}

package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.RedisTalk;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A master with one replica behind a network that fails, and another one.
 */
@Timeout(60)
class LettuceWaitsTests {

	private static final byte[] KEY = { 'k' };

	private final EmbeddedRedis master = EmbeddedRedis.start("--repl-diskless-sync-delay", "0");

	private final FaultyProxy network = new FaultyProxy(this.master.host(), this.master.port());

	private final EmbeddedRedis replica = EmbeddedRedis.start("--replicaof", "127.0.0.1 " + this.network.port());

	private final EmbeddedRedis other = EmbeddedRedis.start("--replicaof", "127.0.0.1 " + this.master.port());

	private final LettuceConnectionFactory factory = TestLettuce.masterAndReplicas(this.master.port());

	private final RedisClusterAsyncCommands<byte[], byte[]> server = connect();

	private final LettuceWaits waits = new LettuceWaits(1000);

	@SuppressWarnings("unchecked")
	private RedisClusterAsyncCommands<byte[], byte[]> connect() {
		await().until(() -> RedisTalk.ask(this.master, "INFO replication").split("state=online").length == 3);
		RedisConnection connection = this.factory.getConnection();
		connection.openPipeline();
		LettuceLink.connection(connection.getNativeConnection()).setAutoFlushCommands(true);
		RedisClusterAsyncCommands<byte[], byte[]> commands = (RedisClusterAsyncCommands<byte[], byte[]>) connection
			.getNativeConnection();
		// Lettuce connects to the master for the first command.
		commands.incr(KEY).toCompletableFuture().join();
		return commands;
	}

	@AfterEach
	void close() {
		this.factory.destroy();
		this.network.close();
		this.replica.close();
		this.other.close();
		this.master.close();
	}

	/** Although the reply to the wait before arrives between the two. */
	@org.junit.jupiter.api.RepeatedTest(6)
	void aWaitIsSentAfterTheWritesOfAllThatJoinIt() {
		this.network.freeze();
		write();
		CompletableFuture<Long> first = this.waits.after(this.server, 2);
		CompletableFuture<Long> second = this.waits.after(this.server, 2);
		CompletableFuture<Long> joined = first.thenCompose((synced) -> {
			this.network.freeze();
			return inAnotherThread();
		});
		this.network.thaw();
		assertThat(joined).succeedsWithin(Duration.ofSeconds(20)).as("the replica is frozen").isEqualTo(1L);
		assertThat(first).isCompletedWithValue(2L);
		assertThat(second).isCompletedWithValue(1L);
	}

	/** Ends before the reply that this thread handles has reached anybody else. */
	private CompletableFuture<Long> inAnotherThread() {
		CompletableFuture<CompletableFuture<Long>> joined = new CompletableFuture<>();
		new Thread(() -> {
			write();
			joined.complete(this.waits.after(this.server, 2));
		}).start();
		return joined.join();
	}

	/** As in a Cluster, where one slot is known to have fewer replicas than another. */
	@Test
	void aReplicaThatAnswersDoesNotMakeUpForOneThatHangs() {
		this.network.freeze();
		long start = System.nanoTime();
		for (int i = 0; i < 5; i++) {
			write();
			assertThat(this.waits.after(this.server, 2)).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(1L);
			write();
			assertThat(this.waits.after(this.server, 1)).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(1L);
		}
		assertThat(Duration.ofNanos(System.nanoTime() - start)).as("a second for each is the longest")
			.isLessThan(Duration.ofSeconds(4));
	}

	private void write() {
		this.server.incr(KEY);
	}

}

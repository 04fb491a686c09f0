package io.idempotent.lock.redisson;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.idempotent.support.DaemonThreads;
import io.lettuce.core.AbstractRedisAsyncCommands;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A connection for commands and one for messages, which a thread of its own opens, since
 * Lettuce connects on the calling thread, under a lock, and for an unbounded time. A
 * connection that the application has closed, as by a restart of its factory, is
 * replaced; Lettuce itself reconnects the others.
 */
final class LettuceConnections implements RedisConnectionStateListener {

	/** For a connection, in milliseconds. */
	static final long TIMEOUT = 10_000;

	private final LettuceConnectionFactory factory;

	/** Is run after a connection of the client has broken. */
	private final Runnable broken;

	private volatile @Nullable CompletableFuture<Link<RedisClusterAsyncCommands<byte[], byte[]>>> commands;

	private @Nullable CompletableFuture<Link<RedisPubSubAsyncCommands<byte[], byte[]>>> messages;

	LettuceConnections(LettuceConnectionFactory factory, Runnable broken) {
		this.factory = factory;
		this.broken = broken;
	}

	@Nullable AbstractRedisClient client() {
		return this.factory.getNativeClient();
	}

	boolean isCluster() {
		return this.factory.getClusterConfiguration() != null;
	}

	CompletableFuture<Link<RedisClusterAsyncCommands<byte[], byte[]>>> commands() {
		CompletableFuture<Link<RedisClusterAsyncCommands<byte[], byte[]>>> present = this.commands;
		return (present == null || isUnusable(present)) ? connectForCommands() : present;
	}

	private synchronized CompletableFuture<Link<RedisClusterAsyncCommands<byte[], byte[]>>> connectForCommands() {
		CompletableFuture<Link<RedisClusterAsyncCommands<byte[], byte[]>>> present = this.commands;
		if (present == null || isUnusable(present)) {
			present = connect(this::forCommands);
			this.commands = present;
		}
		return present;
	}

	/** Messages are received through the listener, from the first channel on. */
	synchronized CompletableFuture<Link<RedisPubSubAsyncCommands<byte[], byte[]>>> messages(byte[] firstChannel) {
		CompletableFuture<Link<RedisPubSubAsyncCommands<byte[], byte[]>>> present = this.messages;
		if (present == null || isUnusable(present)) {
			present = connect((connection) -> forMessages(connection, firstChannel));
			this.messages = present;
		}
		return present;
	}

	private static boolean isUnusable(CompletableFuture<? extends Link<?>> link) {
		return link.isCompletedExceptionally() || (link.isDone() && link.join().isClosed());
	}

	private <T> CompletableFuture<Link<T>> connect(Function<RedisConnection, Link<T>> open) {
		return CompletableFuture.supplyAsync(() -> {
			try {
				RedisConnection connection = this.factory.getConnection();
				AbstractRedisClient client = Objects.requireNonNull(client());
				client.removeListener(this);
				client.addListener(this);
				return open.apply(connection);
			}
			catch (RuntimeException ex) {
				throw new RedisConnectionException(String.valueOf(ex.getMessage()), ex);
			}
		}, (connect) -> DaemonThreads.start("idempotent-lock-redis-connect", connect));
	}

	/**
	 * The connection that the application shares. Where grants wait for replicas, which
	 * blocks a connection, it is one of its own, or in a Cluster one for each node.
	 */
	@SuppressWarnings("unchecked")
	private Link<RedisClusterAsyncCommands<byte[], byte[]>> forCommands(RedisConnection connection) {
		Link<RedisClusterAsyncCommands<byte[], byte[]>> shared = new Link<>(connection,
				(RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection(), isCluster());
		if (this.factory.getSentinelConfiguration() == null
				&& !(shared.stateful() instanceof StatefulRedisMasterReplicaConnection)) {
			return shared;
		}
		// Only a pipeline has a connection of its own.
		connection.openPipeline();
		return new Link<>(connection, (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection(),
				true);
	}

	/** A subscription of Spring Data Redis has the native connection, of any topology. */
	@SuppressWarnings("unchecked")
	private static Link<RedisPubSubAsyncCommands<byte[], byte[]>> forMessages(RedisConnection connection,
			byte[] firstChannel) {
		connection.subscribe((message, pattern) -> {
		}, firstChannel);
		return new Link<>(connection, (RedisPubSubAsyncCommands<byte[], byte[]>) connection.getNativeConnection(),
				false);
	}

	/** Not for a connection that was closed. */
	@Override
	public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
		if (!connection.isClosed()) {
			this.broken.run();
		}
	}

	synchronized void close() {
		close(this.commands);
		close(this.messages);
		AbstractRedisClient client = client();
		if (client != null) {
			client.removeListener(this);
		}
	}

	private static void close(@Nullable CompletableFuture<? extends Link<?>> link) {
		if (link != null) {
			CompletableFuture<?> unused = link.thenAccept((connected) -> connected.connection().close());
		}
	}

	/**
	 * A connection of Spring Data Redis, the native commands on it, and whether servers
	 * may have replicas.
	 */
	record Link<T>(RedisConnection connection, T commands, boolean replicated) {

		StatefulConnection<?, ?> stateful() {
			return ((AbstractRedisAsyncCommands<?, ?>) this.commands).getConnection();
		}

		boolean isClosed() {
			return stateful() instanceof RedisChannelHandler<?, ?> handler && handler.isClosed();
		}

	}

}

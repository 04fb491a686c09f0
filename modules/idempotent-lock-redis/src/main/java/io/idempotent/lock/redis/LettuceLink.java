package io.idempotent.lock.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.idempotent.support.DaemonThreads;
import io.lettuce.core.AbstractRedisAsyncCommands;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The native commands of a connection. A thread of its own connects, since Lettuce does
 * so on the calling thread, under a lock, and for an unbounded time. A connection that
 * the application has closed, as by a restart of its factory, is replaced; Lettuce itself
 * reconnects one that broke. If it does not, the factory replaces it if that validates.
 *
 * @param <T> the type of the commands
 */
final class LettuceLink<T> {

	private static final Log logger = LogFactory.getLog(LettuceLink.class);

	/** For a connection, in milliseconds. */
	static final long TIMEOUT = 10_000;

	private final LettuceConnectionFactory factory;

	private final Function<RedisConnection, T> commands;

	private final AtomicBoolean refreshing = new AtomicBoolean();

	private volatile @Nullable CompletableFuture<T> current;

	private volatile @Nullable RedisConnection connection;

	/** Does not connect. */
	LettuceLink(LettuceConnectionFactory factory, Function<RedisConnection, T> commands) {
		this.factory = factory;
		this.commands = commands;
	}

	CompletableFuture<T> commands() {
		CompletableFuture<T> present = this.current;
		if (present == null || isUnusable(present)) {
			present = connect();
		}
		return present.isDone() ? present : present.copy().orTimeout(TIMEOUT, TimeUnit.MILLISECONDS);
	}

	private synchronized CompletableFuture<T> connect() {
		CompletableFuture<T> present = this.current;
		if (present == null || isUnusable(present)) {
			present = CompletableFuture.supplyAsync(this::open,
					(open) -> DaemonThreads.start("idempotent-lock-redis-connect", open));
			this.current = present;
		}
		return present;
	}

	private T open() {
		try {
			closeFormer();
			return commands(this.factory.getConnection());
		}
		catch (RuntimeException ex) {
			throw new RedisConnectionException(String.valueOf(ex.getMessage()), ex);
		}
	}

	/** Otherwise it would keep its place in a pool. */
	private void closeFormer() {
		try {
			close();
		}
		catch (RuntimeException ex) {
			logger.debug("A connection that is replaced was not closed cleanly", ex);
		}
	}

	private T commands(RedisConnection opened) {
		try {
			T applied = this.commands.apply(opened);
			this.connection = opened;
			return applied;
		}
		catch (RuntimeException ex) {
			opened.close();
			throw ex;
		}
	}

	private static boolean isUnusable(CompletableFuture<?> commands) {
		return commands.isCompletedExceptionally() || (commands.isDone() && isOver(connection(commands.join())));
	}

	private static boolean isOver(StatefulConnection<?, ?> connection) {
		return (connection instanceof RedisChannelHandler<?, ?> handler && handler.isClosed())
				|| (!connection.isOpen() && !connection.getOptions().isAutoReconnect());
	}

	static StatefulConnection<?, ?> connection(Object commands) {
		return ((AbstractRedisAsyncCommands<?, ?>) commands).getConnection();
	}

	/** In a Cluster, a connection to the master that only locks use. */
	@SuppressWarnings("unchecked")
	static CompletableFuture<? extends RedisClusterAsyncCommands<byte[], byte[]>> server(
			RedisClusterAsyncCommands<byte[], byte[]> commands, String key) {
		if (!(connection(commands) instanceof StatefulRedisClusterConnection<?, ?> cluster)) {
			return CompletableFuture.completedFuture(commands);
		}
		RedisClusterNode master = cluster.getPartitions().getMasterBySlot(SlotHash.getSlot(LockTransport.bytes(key)));
		if (master == null) {
			throw new RedisConnectionException("The Cluster has no master for " + key);
		}
		return ((StatefulRedisClusterConnection<byte[], byte[]>) cluster).getConnectionAsync(master.getNodeId())
			.thenApply(StatefulRedisConnection::async);
	}

	/** A node of a Cluster that does not answer may have been replaced. */
	void refreshTopology() {
		if (this.factory.isRunning() && this.factory.getNativeClient() instanceof RedisClusterClient cluster
				&& this.refreshing.compareAndSet(false, true)) {
			CompletableFuture<?> unused = CompletableFuture.completedFuture(cluster)
				.thenCompose(RedisClusterClient::refreshPartitionsAsync)
				.whenComplete((refreshed, failure) -> this.refreshing.set(false));
		}
	}

	/** A connection that is shared with the application stays open. */
	void close() {
		RedisConnection opened = this.connection;
		if (opened != null) {
			opened.close();
		}
	}

}

package io.idempotent.lock.redisson;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import io.idempotent.lock.redisson.LettuceConnections.Link;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Sends scripts through the application's Lettuce client, all of them on one connection
 * for each server. When a connection breaks, Lettuce sends again what was not answered;
 * therefore the reply of a script that was on its way meanwhile counts as lost.
 */
final class LettuceTransport implements LockTransport {

	private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(3);

	private static final long LONGEST_SYNC = 1_000;

	/** Replies of a server that has not run a script and cannot run it now. */
	private static final Pattern NOT_RUN = Pattern
		.compile("(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|LOADING|READONLY)\\b");

	private final String id = UUID.randomUUID().toString();

	private final LettuceConnections connections;

	private final LettuceSubscriptions subscriptions;

	private final long timeout;

	private final ReplicaCounts replicas;

	private final Map<String, String> digests = new ConcurrentHashMap<>();

	/** How many connections of the client have broken. */
	private final AtomicInteger breaks = new AtomicInteger();

	private final AtomicBoolean refreshing = new AtomicBoolean();

	private volatile @Nullable Boolean sharded;

	/** Does not connect. */
	LettuceTransport(LettuceConnectionFactory factory) {
		this.connections = new LettuceConnections(factory, this.breaks::incrementAndGet);
		long configured = factory.getTimeout();
		this.timeout = (configured > 0) ? Math.min(configured, LONGEST_TIMEOUT.toMillis()) : LONGEST_TIMEOUT.toMillis();
		this.subscriptions = new LettuceSubscriptions(this.connections, this.timeout);
		this.sharded = this.connections.isCluster() ? null : false;
		this.replicas = new ReplicaCounts(this.connections.isCluster());
	}

	@Override
	public String engine() {
		return RedisLockEngine.NAME;
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	public String key(String lock) {
		return lock;
	}

	@Override
	public CompletableFuture<Long> number(RedisLock lock, String script, List<String> keys, Object... arguments) {
		return send(lock.key(), script,
				(commands) -> eval(commands, script, ScriptOutputType.INTEGER, keys, arguments));
	}

	@Override
	public CompletableFuture<List<@Nullable String>> texts(RedisLock lock, String script, List<String> keys,
			Object... arguments) {
		CompletableFuture<List<Object>> reply = send(lock.key(), script,
				(commands) -> eval(commands, script, ScriptOutputType.MULTI, keys, arguments));
		return reply.thenApply((texts) -> texts.stream().map(LettuceTransport::text).toList());
	}

	@Override
	public CompletableFuture<List<Long>> grant(RedisLock lock, String script, List<String> keys, Object... arguments) {
		Send<List<Long>> alone = (commands) -> eval(commands, script, ScriptOutputType.MULTI, keys, arguments);
		return this.connections.commands().copy().orTimeout(this.timeout, TimeUnit.MILLISECONDS).thenCompose((link) -> {
			if (!link.replicated()) {
				return send(lock.key(), script, alone);
			}
			return this.replicas.of(lock.key(), () -> number(lock, ReplicaCounts.SCRIPT, List.of(lock.key())))
				.thenCompose((count) -> send(lock.key(), script, (count > 0) ? synced(lock, alone, count) : alone));
		});
	}

	/** On the same connection: it waits for what was written there. */
	private Send<List<Long>> synced(RedisLock lock, Send<List<Long>> grant, int count) {
		return (commands) -> grant.on(commands)
			.thenCombine(commands.waitForReplication(count, Math.min(LONGEST_SYNC, this.timeout / 2)),
					(reply, synced) -> {
						this.replicas.requireSynced(lock.key(), reply, count, synced, true);
						return reply;
					});
	}

	private <T> CompletableFuture<T> send(String key, String script, Send<T> command) {
		CompletableFuture<T> reply = new CompletableFuture<>();
		CompletableFuture<?> unused = this.connections.commands()
			.thenCompose((link) -> server(link, key))
			.orTimeout(LettuceConnections.TIMEOUT, TimeUnit.MILLISECONDS)
			.whenComplete((commands, failure) -> {
				if (failure != null) {
					fail(reply, new RedisConnectionException("There is no connection", cause(failure)));
				}
				else {
					reply.orTimeout(this.timeout, TimeUnit.MILLISECONDS);
					send(commands, script, command, reply, true);
				}
			});
		return reply;
	}

	private <T> void send(RedisClusterAsyncCommands<byte[], byte[]> commands, String script, Send<T> command,
			CompletableFuture<T> reply, boolean mayLoad) {
		int before = this.breaks.get();
		CompletableFuture<T> sent = command.on(commands).toCompletableFuture();
		CompletableFuture<?> unused = sent.whenComplete((value, failure) -> {
			if (this.breaks.get() != before) {
				fail(reply, new RedisException("The connection broke before the reply"));
			}
			else if (failure == null) {
				reply.complete(value);
			}
			else if (mayLoad && cause(failure) instanceof RedisNoScriptException) {
				commands.scriptLoad(LockTransport.bytes(script))
					.thenAccept((digest) -> send(commands, script, command, reply, false));
			}
			else {
				fail(reply, failure);
			}
		});
	}

	/** A node of a Cluster that does not answer may have been replaced. */
	private void fail(CompletableFuture<?> reply, Throwable failure) {
		Throwable cause = cause(failure);
		reply.completeExceptionally(cause);
		if (this.connections.client() instanceof RedisClusterClient cluster
				&& (meansNotRun(cause) || !(cause instanceof RedisCommandExecutionException))
				&& this.refreshing.compareAndSet(false, true)) {
			CompletableFuture<?> unused = cluster.refreshPartitionsAsync()
				.toCompletableFuture()
				.whenComplete((refreshed, unrefreshed) -> this.refreshing.set(false));
		}
	}

	/**
	 * In a Cluster, the connection of the master that is used for locks alone: grants
	 * that wait for replicas block it.
	 */
	@SuppressWarnings("unchecked")
	private static CompletableFuture<? extends RedisClusterAsyncCommands<byte[], byte[]>> server(
			Link<RedisClusterAsyncCommands<byte[], byte[]>> link, String key) {
		if (!(link.stateful() instanceof StatefulRedisClusterConnection<?, ?> cluster)) {
			return CompletableFuture.completedFuture(link.commands());
		}
		StatefulRedisClusterConnection<byte[], byte[]> connection = (StatefulRedisClusterConnection<byte[], byte[]>) cluster;
		RedisClusterNode master = connection.getPartitions()
			.getMasterBySlot(SlotHash.getSlot(LockTransport.bytes(key)));
		return (master != null) ? connection.getConnectionAsync(master.getNodeId()).thenApply((node) -> node.async())
				: CompletableFuture.failedFuture(new RedisConnectionException("The Cluster has no master for " + key));
	}

	private <T> CompletionStage<T> eval(RedisClusterAsyncCommands<byte[], byte[]> commands, String script,
			ScriptOutputType type, List<String> keys, Object... arguments) {
		String digest = this.digests.computeIfAbsent(script, (text) -> commands.digest(LockTransport.bytes(text)));
		return commands.evalsha(digest, type, keys.stream().map(LockTransport::bytes).toArray(byte[][]::new),
				Arrays.stream(arguments).map(LockTransport::bytes).toArray(byte[][]::new));
	}

	@Override
	public CompletableFuture<String> publishCommand(String channel) {
		return sharded(channel).thenApply((sharded) -> sharded ? "SPUBLISH" : "PUBLISH");
	}

	@Override
	public CompletableFuture<Runnable> listen(String channel, ReleaseSubscription listener) {
		return sharded(channel).thenCompose((sharded) -> this.subscriptions.listen(channel, sharded, listener));
	}

	/**
	 * As Redisson does: sharded in a Redis 7 Cluster, otherwise plain. An error reply to
	 * a request for subscribers means that a server has no sharded channels.
	 */
	private CompletableFuture<Boolean> sharded(String channel) {
		Boolean known = this.sharded;
		if (known != null) {
			return CompletableFuture.completedFuture(known);
		}
		CompletableFuture<Map<byte[], Long>> subscribers = send(channel, "",
				(commands) -> commands.pubsubShardNumsub(LockTransport.bytes(channel)));
		return subscribers.handle((count, failure) -> {
			Throwable cause = (failure != null) ? cause(failure) : null;
			if (cause != null && (meansNotRun(cause) || !(cause instanceof RedisCommandExecutionException))) {
				throw new CompletionException(cause);
			}
			this.sharded = cause == null;
			return cause == null;
		});
	}

	@Override
	public boolean meansNotRun(Throwable cause) {
		return cause instanceof RedisConnectionException || (cause instanceof RedisCommandExecutionException
				&& NOT_RUN.matcher(String.valueOf(cause.getMessage())).lookingAt());
	}

	@Override
	public void close() {
		this.connections.close();
	}

	private static Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	private static @Nullable String text(@Nullable Object reply) {
		return (reply instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : null;
	}

	/** Sends commands on a connection. */
	@FunctionalInterface
	private interface Send<T> {

		CompletionStage<T> on(RedisClusterAsyncCommands<byte[], byte[]> commands);

	}

}

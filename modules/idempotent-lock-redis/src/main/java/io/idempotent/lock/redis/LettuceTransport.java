package io.idempotent.lock.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Sends scripts through the application's Lettuce client, all of them on one connection
 * for each server. When a connection breaks, Lettuce sends again what was not answered;
 * therefore the reply of a script that was on its way meanwhile counts as lost.
 */
final class LettuceTransport implements LockTransport, RedisConnectionStateListener {

	private static final long LONGEST_TIMEOUT = 3_000;

	private static final long LONGEST_SYNC = 1_000;

	/** Replies of a server that has not run a script and cannot run it now. */
	private static final Pattern NOT_RUN = Pattern
		.compile("(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|LOADING|READONLY)\\b");

	private final String id = UUID.randomUUID().toString();

	private final LettuceConnectionFactory factory;

	private final LettuceLink<RedisClusterAsyncCommands<byte[], byte[]>> link;

	private final LettuceSubscriptions subscriptions;

	/** For a reply, in milliseconds. */
	private final long timeout;

	private final ReplicaCounts replicas;

	private final LettuceWaits waits;

	private final Map<String, String> digests = new ConcurrentHashMap<>();

	/** How many connections of the client have broken. */
	private final AtomicInteger breaks = new AtomicInteger();

	private final ReleaseChannels channels;

	/** Does not connect. */
	LettuceTransport(LettuceConnectionFactory factory) {
		this.factory = factory;
		this.link = new LettuceLink<>(factory, this::open);
		long configured = factory.getTimeout();
		this.timeout = (configured > 0) ? Math.min(configured, LONGEST_TIMEOUT) : LONGEST_TIMEOUT;
		this.subscriptions = new LettuceSubscriptions(factory, this.timeout);
		boolean cluster = factory.getClusterConfiguration() != null;
		this.replicas = new ReplicaCounts(cluster);
		this.waits = new LettuceWaits(Math.min(LONGEST_SYNC, this.timeout / 3));
		this.channels = new ReleaseChannels(cluster ? null : false, this::countSubscribers, this::isFailureOfServer);
	}

	/**
	 * The connection that the application shares. Where a grant waits for replicas, which
	 * blocks a connection, it is one of its own, or in a Cluster one to each master.
	 */
	@SuppressWarnings("unchecked")
	private RedisClusterAsyncCommands<byte[], byte[]> open(RedisConnection connection) {
		AbstractRedisClient client = Objects.requireNonNull(this.factory.getNativeClient());
		client.removeListener(this);
		client.addListener(this);
		if (hasReplicas(connection.getNativeConnection()) && this.factory.getClusterConfiguration() == null) {
			// Only a pipeline has a connection of its own.
			connection.openPipeline();
			LettuceLink.connection(connection.getNativeConnection()).setAutoFlushCommands(true);
		}
		return (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
	}

	private boolean hasReplicas(Object commands) {
		StatefulConnection<?, ?> connection = LettuceLink.connection(commands);
		return this.factory.getSentinelConfiguration() != null || connection instanceof StatefulRedisClusterConnection
				|| connection instanceof StatefulRedisMasterReplicaConnection;
	}

	/**
	 * In a Cluster, only the client knows of the connections that the messages come on. A
	 * connection that was closed did not break.
	 */
	@Override
	public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
		if (!connection.isClosed()) {
			this.breaks.incrementAndGet();
		}
		if (connection instanceof StatefulRedisPubSubConnection) {
			this.subscriptions.disconnected();
		}
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
	public CompletableFuture<Long> number(String lock, String script, List<String> keys, Object... arguments) {
		return send(lock, script, (server) -> eval(server, script, ScriptOutputType.INTEGER, keys, arguments));
	}

	@Override
	public CompletableFuture<List<@Nullable String>> texts(String lock, String script, List<String> keys,
			Object... arguments) {
		CompletableFuture<List<Object>> reply = send(lock, script,
				(server) -> eval(server, script, ScriptOutputType.MULTI, keys, arguments));
		return reply.thenApply((texts) -> texts.stream().map(LettuceTransport::text).toList());
	}

	@Override
	public CompletableFuture<Long> grant(String lock, String script, List<String> keys, Object... arguments) {
		Command<Long> alone = (server) -> eval(server, script, ScriptOutputType.INTEGER, keys, arguments);
		return this.link.commands().thenCompose((commands) -> {
			if (!hasReplicas(commands)) {
				return send(lock, script, alone);
			}
			return this.replicas.of(lock, () -> number(lock, ReplicaCounts.SCRIPT, List.of(lock)))
				.thenCompose((count) -> send(lock, script, (count > 0) ? synced(lock, alone, count) : alone));
		});
	}

	/** On the same connection: it waits for what was written there. */
	private Command<Long> synced(String lock, Command<Long> grant, int count) {
		return (server) -> this.replicas.synced(lock, count, grant.sendTo(server), this.waits.after(server, count));
	}

	private <T> CompletableFuture<T> send(String key, String script, Command<T> command) {
		CompletableFuture<T> reply = new CompletableFuture<>();
		CompletableFuture<?> unusedRefresh = reply.whenComplete((value, failure) -> {
			if (failure != null && isFailureOfServer(failure)) {
				this.link.refreshTopology();
			}
		});
		CompletableFuture<?> unused = this.link.commands()
			.thenCompose((commands) -> LettuceLink.server(commands, key))
			.orTimeout(LettuceLink.TIMEOUT, TimeUnit.MILLISECONDS)
			.whenComplete((server, failure) -> {
				if (failure != null) {
					fail(reply, new RedisConnectionException("There is no connection", LockTransport.cause(failure)));
				}
				else {
					reply.orTimeout(this.timeout, TimeUnit.MILLISECONDS);
					send(server, script, command, reply, true);
				}
			});
		return reply;
	}

	private <T> void send(RedisClusterAsyncCommands<byte[], byte[]> server, String script, Command<T> command,
			CompletableFuture<T> reply, boolean mayLoad) {
		if (reply.isDone()) {
			return;
		}
		int before = this.breaks.get();
		CompletableFuture<T> sent = command.sendTo(server);
		CompletableFuture<?> unusedCancel = reply.handle((value, failure) -> failure != null && sent.cancel(true));
		CompletableFuture<?> unused = sent.whenComplete((value, failure) -> {
			if (this.breaks.get() != before) {
				fail(reply, new RedisException("The connection broke before the reply"));
			}
			else if (failure == null) {
				reply.complete(value);
			}
			else if (mayLoad && LockTransport.cause(failure) instanceof RedisNoScriptException) {
				Command<String> load = (loading) -> loading.scriptLoad(LockTransport.bytes(script));
				CompletableFuture<?> unusedLoad = load.sendTo(server)
					.thenAccept((digest) -> send(server, script, command, reply, false))
					.whenComplete((resent, unloaded) -> fail(reply, unloaded));
			}
			else {
				fail(reply, failure);
			}
		});
	}

	private static void fail(CompletableFuture<?> reply, @Nullable Throwable failure) {
		if (failure != null) {
			reply.completeExceptionally(LockTransport.cause(failure));
		}
	}

	private <T> CompletionStage<T> eval(RedisClusterAsyncCommands<byte[], byte[]> server, String script,
			ScriptOutputType type, List<String> keys, Object... arguments) {
		String digest = this.digests.computeIfAbsent(script, (text) -> server.digest(LockTransport.bytes(text)));
		return server.evalsha(digest, type, LockTransport.inBytes(keys.toArray()), LockTransport.inBytes(arguments));
	}

	@Override
	public CompletableFuture<Boolean> sharded(String channel) {
		return this.channels.sharded(channel);
	}

	@Override
	public CompletableFuture<Runnable> listen(String channel, ReleaseSubscription listener) {
		return sharded(channel).thenCompose((sharded) -> this.subscriptions.listen(channel, sharded, listener));
	}

	private CompletableFuture<?> countSubscribers(String channel) {
		return send(channel, "", (server) -> server.pubsubShardNumsub(LockTransport.bytes(channel)));
	}

	/** Not for an answer to the command. */
	private boolean isFailureOfServer(Throwable cause) {
		return meansNotRun(cause) || !(cause instanceof RedisCommandExecutionException);
	}

	@Override
	public boolean meansNotRun(Throwable cause) {
		return cause instanceof RedisConnectionException || (cause instanceof RedisCommandExecutionException
				&& NOT_RUN.matcher(String.valueOf(cause.getMessage())).lookingAt());
	}

	/** When a connection is reset, Lettuce fails the oldest command with the cause. */
	@Override
	public boolean meansLostReply(Throwable cause) {
		return cause instanceof TimeoutException || cause instanceof IOException
				|| (cause instanceof RedisException && !(cause instanceof RedisCommandExecutionException));
	}

	@Override
	public void close() {
		this.link.close();
		this.subscriptions.close();
		if (this.factory.isRunning()) {
			Objects.requireNonNull(this.factory.getNativeClient()).removeListener(this);
		}
	}

	private static @Nullable String text(@Nullable Object reply) {
		return (reply != null) ? new String((byte[]) reply, StandardCharsets.UTF_8) : null;
	}

	/** Sends commands on a connection. */
	@FunctionalInterface
	interface Command<T> {

		CompletionStage<T> on(RedisClusterAsyncCommands<byte[], byte[]> server);

		default CompletableFuture<T> sendTo(RedisClusterAsyncCommands<byte[], byte[]> server) {
			try {
				return on(server).toCompletableFuture();
			}
			catch (RuntimeException ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}

	}

}

package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.idempotent.logging.DurationText;
import io.idempotent.support.DaemonThreads;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Sends commands through the application's Lettuce client. The store's time-out limits
 * the wait for a reply, a connection or a reconnection. Lettuce connects on the calling
 * thread and under a lock, for an unbounded time: therefore a thread of its own connects
 * while callers wait, and ends afterwards.
 */
final class LettuceCommands implements StoreCommands {

	private static final RedisCodec<byte[], byte[]> CODEC = ByteArrayCodec.INSTANCE;

	private static final int KEYS_IN_A_STEP = 1_000;

	private final LettuceConnectionFactory connections;

	private final Duration timeout;

	private final Object connecting = new Object();

	private volatile @Nullable CompletableFuture<Link> link;

	/**
	 * The nodes of the last connection, kept after it is dropped, so that each server
	 * keeps its guard without a connection.
	 */
	private volatile @Nullable Partitions cluster;

	LettuceCommands(LettuceConnectionFactory connections, Duration timeout) {
		this.connections = connections;
		this.timeout = timeout;
	}

	@Override
	public boolean setIfAbsent(byte[] key, byte[] value, long timeToLiveInMillis) {
		return send((commands) -> commands.set(key, value, SetArgs.Builder.nx().px(timeToLiveInMillis))) != null;
	}

	@Override
	public byte @Nullable [] setOrGet(byte[] key, byte[] value, long timeToLiveInMillis) {
		return send((commands) -> commands.setGet(key, value, SetArgs.Builder.nx().px(timeToLiveInMillis)));
	}

	@Override
	public @Nullable List<Object> evalSha(LuaScript script, ScriptKeys keys, byte[]... arguments) {
		return run(CommandType.EVALSHA, script.source().sha1().getBytes(StandardCharsets.US_ASCII), keys, arguments);
	}

	@Override
	public @Nullable List<Object> eval(LuaScript script, ScriptKeys keys, byte[]... arguments) {
		return run(CommandType.EVAL, script.source().text(), keys, arguments);
	}

	@Override
	public boolean setsAhead() {
		return true;
	}

	/**
	 * Redis executes the commands of a connection in the order in which they are sent.
	 */
	private @Nullable List<Object> run(CommandType type, byte[] script, ScriptKeys keys, byte[]... arguments) {
		byte[][] all = keys.all();
		CommandArgs<byte[], byte[]> called = arguments().add(script).add(all.length).addKeys(all).addValues(arguments);
		Ahead ahead = keys.ahead();
		return send((commands) -> {
			if (ahead == null) {
				return commands.dispatch(type, new ArrayOutput<>(CODEC), called);
			}
			AsyncCommand<byte[], byte[], String> set = command(CommandType.SET, new StatusOutput<>(CODEC),
					arguments().addKey(ahead.key()).addValue(ahead.value()).add("PX").add(ahead.timeToLiveInMillis()));
			AsyncCommand<byte[], byte[], List<Object>> reply = command(type, new ArrayOutput<>(CODEC), called);
			dispatch(commands, List.of(set, reply));
			CompletionStage<List<Object>> unused = reply.whenComplete((result, failure) -> set.cancel(true));
			return reply;
		});
	}

	private static CommandArgs<byte[], byte[]> arguments() {
		return new CommandArgs<>(CODEC);
	}

	private static <T> AsyncCommand<byte[], byte[], T> command(CommandType type,
			CommandOutput<byte[], byte[], T> output, CommandArgs<byte[], byte[]> arguments) {
		return new AsyncCommand<>(new Command<>(type, output, arguments));
	}

	/**
	 * Sends commands by one system call, which Redis reads by one. To a Cluster, each is
	 * sent alone: for several at once, Lettuce would connect on this thread if it has to.
	 */
	@SuppressWarnings("deprecation") // Spring Data Redis has no way to the connection.
	private static void dispatch(RedisClusterAsyncCommands<byte[], byte[]> commands,
			List<AsyncCommand<byte[], byte[], ?>> all) {
		if (commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster) {
			all.forEach(cluster.getStatefulConnection()::dispatch);
		}
		else {
			((RedisAsyncCommands<byte[], byte[]>) commands).getStatefulConnection().dispatch(all);
		}
	}

	@Override
	public @Nullable KeyPage scan(@Nullable Object position, byte[] pattern) {
		ScanCursor from = (position != null) ? (ScanCursor) position : ScanCursor.INITIAL;
		KeyScanCursor<byte[]> found = send(
				(commands) -> commands.scan(from, new ScanArgs().match(pattern).limit(KEYS_IN_A_STEP)));
		return (found != null) ? new KeyPage(found.getKeys(), found.isFinished() ? null : found) : null;
	}

	@Override
	public String serverOf(byte[] key) {
		Partitions known = this.cluster;
		RedisClusterNode server = (known != null) ? known.getMasterBySlot(SlotHash.getSlot(key)) : null;
		return (server != null) ? server.getNodeId() : "";
	}

	private <T> @Nullable T send(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
		long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(this.timeout);
		CompletableFuture<Link> linked = link();
		try {
			Link connected = connected(linked, deadline);
			this.cluster = connected.cluster();
			return reply(command.apply(connected.commands()), deadline);
		}
		catch (RedisCommandExecutionException ex) {
			throw new CommandNotExecutedException(CommandNotExecutedException.Reason.REFUSED,
					String.valueOf(ex.getMessage()), ex);
		}
		catch (RedisCommandInterruptedException ex) {
			// The connection still works.
			throw ex;
		}
		catch (RuntimeException ex) {
			drop(linked);
			throw ex;
		}
	}

	private CompletableFuture<Link> link() {
		CompletableFuture<Link> present = this.link;
		if (present != null && !present.isCompletedExceptionally()) {
			return present;
		}
		synchronized (this.connecting) {
			present = this.link;
			if (present == null || present.isCompletedExceptionally()) {
				present = CompletableFuture.supplyAsync(() -> Link.over(this.connections),
						(connect) -> DaemonThreads.start("idempotent-redis-connect", connect));
				this.link = present;
			}
			return present;
		}
	}

	private Link connected(CompletableFuture<Link> linked, long deadline) {
		try {
			return await(linked, "connection", deadline);
		}
		catch (RedisCommandInterruptedException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new CommandNotExecutedException(CommandNotExecutedException.Reason.NOT_CONNECTED,
					String.valueOf(ex.getMessage()), ex);
		}
	}

	private <T> T reply(RedisFuture<T> reply, long deadline) {
		try {
			return await(reply, "reply", deadline);
		}
		finally {
			// The command in it is done later: to cancel that fills in a stack trace.
			if (!reply.isDone()) {
				reply.cancel(true);
			}
		}
	}

	private <T> T await(Future<T> future, String what, long deadline) {
		try {
			return future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw new RedisCommandTimeoutException("no " + what + " within " + DurationText.of(this.timeout));
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException failure) ? failure : new RedisException(ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RedisCommandInterruptedException(ex);
		}
	}

	/**
	 * Drops the connection: the next call gets the same one while Lettuce reconnects, or
	 * a new one after a restart of the connection factory. An attempt is not aborted: a
	 * second one would not be faster.
	 */
	private void drop(CompletableFuture<Link> linked) {
		synchronized (this.connecting) {
			if (this.link != linked || !linked.isDone()) {
				return;
			}
			this.link = null;
		}
		if (!linked.isCompletedExceptionally()) {
			linked.join().connection().close();
		}
	}

	/** Releases the connection. A connection shared with the application stays open. */
	@Override
	public void close() {
		CompletableFuture<Link> present = this.link;
		if (present != null) {
			drop(present);
		}
	}

	/** A connection and its asynchronous, thread-safe commands. */
	private record Link(RedisConnection connection, RedisClusterAsyncCommands<byte[], byte[]> commands,
			@Nullable Partitions cluster) {

		@SuppressWarnings("unchecked")
		static Link over(LettuceConnectionFactory connections) {
			RedisConnection connection = connections.getConnection();
			return new Link(connection, (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection(),
					(connections.getNativeClient() instanceof RedisClusterClient client) ? client.getPartitions()
							: null);
		}

	}

}

package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchResult;
import org.redisson.api.RBatch;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RScriptAsync;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.listener.StatusListener;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisNoScriptException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisReadonlyException;
import org.redisson.client.RedisReconnectedException;
import org.redisson.client.RedisRetryException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.LongCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.ShardedSubscriptionMode;

/**
 * Sends scripts through Redisson's public API.
 *
 * <p>
 * Script keys are bytes, which Redisson sends unchanged. Strings would go through the
 * client's name mapper, and no name maps to a key such as
 * <code>redisson_lock_token:{name}</code>, whose prefix precedes the mapped name.
 * Arguments are bytes as well, of which Redisson makes no copy.
 */
final class RedissonTransport implements LockTransport {

	private final RedissonClient client;

	private final Config config;

	private final RScriptAsync scripts;

	private final RScriptAsync texts;

	private final ReplicaCounts replicas;

	private final ReleaseChannels channels;

	/** Does not connect. */
	RedissonTransport(RedissonClient client) {
		this.client = client;
		this.config = client.getConfig();
		this.scripts = client.getScript(OptionalOptions.defaults().codec(ByteArrayCodec.INSTANCE).retryAttempts(0));
		this.texts = client.getScript(OptionalOptions.defaults().codec(StringCodec.INSTANCE).retryAttempts(0));
		this.replicas = new ReplicaCounts(this.config.isClusterConfig());
		this.channels = new ReleaseChannels(sharded(this.config), this::countSubscribers,
				(failure) -> meansNotRun(failure) || meansLostReply(failure));
	}

	/** Null if it follows from the version of a server. */
	private static @Nullable Boolean sharded(Config config) {
		ShardedSubscriptionMode mode = config.isClusterConfig()
				? config.useClusterServers().getShardedSubscriptionMode() : ShardedSubscriptionMode.OFF;
		return (mode == ShardedSubscriptionMode.AUTO) ? null : mode == ShardedSubscriptionMode.ON;
	}

	private CompletableFuture<?> countSubscribers(String channel) {
		return this.client.getShardedTopic(channel, LongCodec.INSTANCE).countSubscribersAsync().toCompletableFuture();
	}

	@Override
	public String id() {
		return this.client.getId();
	}

	@Override
	public String key(String lock) {
		// Only a topic exposes its mapped name.
		return this.client.getTopic(lock).getChannelNames().get(0);
	}

	@Override
	public CompletableFuture<Long> number(String lock, String script, List<String> keys, Object... arguments) {
		Object[] inBytes = LockTransport.inBytes(arguments);
		return run(this.scripts, ReturnType.LONG, lock, script, keys, inBytes);
	}

	@Override
	public CompletableFuture<List<@Nullable String>> texts(String lock, String script, List<String> keys,
			Object... arguments) {
		return run(this.texts, ReturnType.LIST, lock, script, keys, arguments);
	}

	/** Waits for replicas unless Redisson knows one server. */
	@Override
	public CompletableFuture<Long> grant(String lock, String script, List<String> keys, Object... arguments) {
		Object[] inBytes = LockTransport.inBytes(arguments);
		if (this.config.isSingleConfig()) {
			return run(this.scripts, ReturnType.LONG, lock, script, keys, inBytes);
		}
		String key = keys.get(0);
		return replicas(lock, key).thenCompose((count) -> {
			if (count == 0) {
				return run(this.scripts, ReturnType.LONG, lock, script, keys, inBytes);
			}
			return loadIfMissing(key, script, () -> runAndWait(count, lock, script, keys, inBytes));
		});
	}

	private CompletableFuture<Integer> replicas(String lock, String key) {
		return this.replicas.of(key, () -> number(lock, ReplicaCounts.SCRIPT, List.of(key)));
	}

	private CompletableFuture<Long> runAndWait(int count, String lock, String script, List<String> keys,
			Object... arguments) {
		Duration timeout = Duration.ofMillis(this.config.getSlavesSyncTimeout());
		RBatch batch = this.client.createBatch(BatchOptions.defaults().retryAttempts(0).sync(count, timeout));
		CompletableFuture<Long> reply = run(batch.getScript(ByteArrayCodec.INSTANCE), ReturnType.LONG, lock, script,
				keys, arguments);
		CompletableFuture<BatchResult<?>> result = batch.executeAsync()
			.toCompletableFuture()
			.thenApply((executed) -> executed);
		return result.thenCombine(reply, (executed, granted) -> {
			this.replicas.requireSynced(keys.get(0), granted, count, executed.getSyncedSlaves(),
					this.config.isCheckLockSyncedSlaves());
			return granted;
		});
	}

	/** Redisson does not notice that a restarted server has lost a batch's scripts. */
	private <T> CompletableFuture<T> loadIfMissing(String key, String script, Supplier<CompletableFuture<T>> batch) {
		return batch.get().exceptionallyCompose((failure) -> {
			if (!(LockTransport.cause(failure) instanceof RedisNoScriptException)) {
				return CompletableFuture.failedFuture(failure);
			}
			return this.client.getScript(StringCodec.INSTANCE)
				.scriptLoadAsync(key, script)
				.toCompletableFuture()
				.thenCompose((loaded) -> batch.get());
		});
	}

	/** Redisson itself maps the name, which selects the server. */
	private static <T> CompletableFuture<T> run(RScriptAsync scripts, ReturnType type, String lock, String script,
			List<String> keys, Object... arguments) {
		Object[] inBytes = LockTransport.inBytes(keys.toArray());
		return scripts.<T>evalAsync(lock, Mode.READ_WRITE, script, type, List.of(inBytes), arguments)
			.toCompletableFuture();
	}

	@Override
	public CompletableFuture<Boolean> sharded(String channel) {
		return this.channels.sharded(channel);
	}

	/**
	 * All listeners of a client for one channel share a subscription, those of Redisson's
	 * own locks included. A release may be missed: when the last of Redisson's own locks
	 * that wait on this client stops waiting, it ends the shared subscription; and a name
	 * mapper can make the channel inaccessible.
	 */
	@Override
	public CompletableFuture<Runnable> listen(String channel, ReleaseSubscription listener) {
		return sharded(channel).thenCompose((sharded) -> {
			RTopic topic = topic(channel, sharded);
			if (topic.getChannelNames().contains(channel)) {
				return listen(topic, listener);
			}
			listener.active(false);
			return CompletableFuture.completedFuture(() -> {
			});
		});
	}

	/** The codec is that of Redisson's own locks: listeners of a channel share it. */
	private RTopic topic(String channel, boolean sharded) {
		return sharded ? this.client.getShardedTopic(channel, LongCodec.INSTANCE)
				: this.client.getTopic(channel, LongCodec.INSTANCE);
	}

	private static CompletableFuture<Runnable> listen(RTopic topic, ReleaseSubscription listener) {
		return topic.addListenerAsync(Long.class, (channel, release) -> listener.released())
			.toCompletableFuture()
			.thenCompose((messages) -> topic.addListenerAsync(new Status(listener)).handle((status, failure) -> {
				if (failure != null) {
					remove(topic, messages);
					throw new CompletionException(failure);
				}
				return () -> remove(topic, messages, status);
			}));
	}

	private static void remove(RTopic topic, Integer... listeners) {
		CompletableFuture<?> unused = topic.removeListenerAsync(listeners).toCompletableFuture();
	}

	/** No connection, or the server cannot run it now, as during a failover. */
	@Override
	public boolean meansNotRun(Throwable cause) {
		return cause instanceof RedisConnectionException || cause instanceof RedisRetryException
				|| cause instanceof RedisReadonlyException || cause instanceof RedisNodeNotFoundException;
	}

	/** Also if Redisson has connected again before the reply. */
	@Override
	public boolean meansLostReply(Throwable cause) {
		return cause instanceof RedisTimeoutException || cause instanceof RedisReconnectedException;
	}

	private record Status(ReleaseSubscription listener) implements StatusListener {

		@Override
		public void onSubscribe(String channel) {
			this.listener.active(true);
		}

		@Override
		public void onUnsubscribe(String channel) {
			this.listener.active(false);
		}

	}

}

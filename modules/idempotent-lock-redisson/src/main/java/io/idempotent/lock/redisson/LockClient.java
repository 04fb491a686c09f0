package io.idempotent.lock.redisson;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.support.DaemonThreads;
import org.jspecify.annotations.Nullable;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchResult;
import org.redisson.api.RBatch;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RScriptAsync;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNoScriptException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisReadonlyException;
import org.redisson.client.RedisRetryException;
import org.redisson.client.codec.LongCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * Runs the scripts of locks through Redisson's public API, waits for replies, and
 * translates failures. Each script is sent once: after a response timeout it may have
 * run, and must not run again.
 *
 * <p>
 * Script keys are bytes, which Redisson sends unchanged. Strings would go through the
 * client's name mapper, and no name maps to a key such as
 * <code>redisson_lock_token:{name}</code>, whose prefix precedes the mapped name.
 */
final class LockClient {

	/** Longer than Redisson's own timeouts, for a wait that Redisson never ends. */
	private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(30);

	private static final int MAX_REASON_LENGTH = 200;

	private static final String COUNT_REPLICAS = """
			return tonumber(string.match(redis.call('info', 'replication'), 'connected_slaves:(%d+)')) or 0
			""";

	private final RedissonClient client;

	private final Config config;

	private final RScriptAsync scripts;

	private final RScriptAsync texts;

	private final ReplicaCounts replicas;

	private final ReleaseTopics topics;

	private final String ownerPrefix;

	private final String ownerSuffix;

	private volatile boolean connected;

	/** Does not connect; the name of the node may be empty. */
	LockClient(RedissonClient client, String node) {
		this.client = client;
		this.config = client.getConfig();
		this.scripts = client.getScript(OptionalOptions.defaults().codec(LongCodec.INSTANCE).retryAttempts(0));
		this.texts = client.getScript(OptionalOptions.defaults().codec(StringCodec.INSTANCE).retryAttempts(0));
		this.replicas = new ReplicaCounts(this.config.isClusterConfig());
		this.topics = new ReleaseTopics(client);
		this.ownerPrefix = client.getId() + ":";
		this.ownerSuffix = node.isEmpty() ? "" : ":" + node;
	}

	RedissonClient client() {
		return this.client;
	}

	ReleaseTopics topics() {
		return this.topics;
	}

	/** As Redisson's ids, but of a thread that cannot exist, and with the node's name. */
	String nextOwner() {
		return this.ownerPrefix + (ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE) + this.ownerSuffix;
	}

	boolean hasCreated(String owner) {
		return owner.startsWith(this.ownerPrefix);
	}

	/** Waits for the reply through interrupts, which are restored afterwards. */
	<T extends @Nullable Object> T call(Supplier<CompletableFuture<T>> command, String what) {
		return InterruptibleWait.uninterruptibly((waiting) -> await(send(command, what), what, waiting));
	}

	/**
	 * Does not wait for the reply. A lazy client connects with its first command, on the
	 * thread that sends it, and fails if that thread is interrupted; so commands are sent
	 * on another thread until one of them has succeeded.
	 */
	<T extends @Nullable Object> CompletableFuture<T> send(Supplier<CompletableFuture<T>> command, String what) {
		if (this.connected) {
			return attempt(command, what);
		}
		CompletableFuture<T> reply = new CompletableFuture<>();
		DaemonThreads.start("idempotent-lock-redisson-connect", () -> connect(command, reply));
		return reply;
	}

	private <T extends @Nullable Object> void connect(Supplier<CompletableFuture<T>> command,
			CompletableFuture<T> reply) {
		try {
			CompletableFuture<?> unused = command.get().whenComplete((result, failure) -> {
				if (failure != null) {
					reply.completeExceptionally(failure);
				}
				else {
					this.connected = true;
					reply.complete(result);
				}
			});
		}
		catch (RuntimeException ex) {
			reply.completeExceptionally(ex);
		}
	}

	CompletableFuture<Boolean> run(RedisLock lock, String script, List<String> keys, Object... arguments) {
		return run(this.scripts, ReturnType.BOOLEAN, lock, script, keys, arguments);
	}

	CompletableFuture<Long> number(RedisLock lock, String script, List<String> keys, Object... arguments) {
		return run(this.texts, ReturnType.LONG, lock, script, keys, arguments);
	}

	CompletableFuture<List<String>> read(RedisLock lock, String script, List<String> keys, Object... arguments) {
		return run(this.texts, ReturnType.LIST, lock, script, keys, arguments);
	}

	/**
	 * Runs a script that grants a lock, and returns a token and a time. If the server has
	 * replicas, the reply is complete when all of them have received the grant, or
	 * {@code slavesSyncTimeout} has passed. It fails if no replica has received the
	 * grant, unless Redisson's {@code checkLockSyncedSlaves} is {@code false}.
	 */
	CompletableFuture<List<Long>> grant(RedisLock lock, String script, List<String> keys, Object... arguments) {
		if (this.config.isSingleConfig()) {
			return run(this.scripts, ReturnType.LIST, lock, script, keys, arguments);
		}
		return this.replicas.of(lock.key(), () -> countReplicas(lock)).thenCompose((count) -> {
			if (count == 0) {
				return run(this.scripts, ReturnType.LIST, lock, script, keys, arguments);
			}
			return loadIfMissing(lock, script, () -> runAndWait(count, lock, script, keys, arguments));
		});
	}

	private CompletableFuture<Integer> countReplicas(RedisLock lock) {
		CompletableFuture<Long> reply = run(this.scripts, ReturnType.LONG, lock, COUNT_REPLICAS, List.of(lock.key()));
		return reply.thenApply(Long::intValue);
	}

	private CompletableFuture<List<Long>> runAndWait(int count, RedisLock lock, String script, List<String> keys,
			Object... arguments) {
		Duration timeout = Duration.ofMillis(this.config.getSlavesSyncTimeout());
		RBatch batch = this.client.createBatch(BatchOptions.defaults().retryAttempts(0).sync(count, timeout));
		CompletableFuture<List<Long>> reply = run(batch.getScript(LongCodec.INSTANCE), ReturnType.LIST, lock, script,
				keys, arguments);
		return batch.executeAsync()
			.toCompletableFuture()
			.thenCombine(reply, (result, granted) -> checkSynced(result, granted, count, lock));
	}

	private List<Long> checkSynced(BatchResult<?> result, List<Long> reply, int count, RedisLock lock) {
		int synced = result.getSyncedSlaves();
		if (synced != count) {
			this.replicas.forget(lock.key());
		}
		if (synced == 0 && reply.get(0) > 0 && this.config.isCheckLockSyncedSlaves()) {
			throw new RedisException("None of " + count + " replicas has synced the lock within "
					+ this.config.getSlavesSyncTimeout() + " ms (slavesSyncTimeout)");
		}
		return reply;
	}

	/** Redisson does not notice that a restarted server has lost a batch's scripts. */
	private <T> CompletableFuture<T> loadIfMissing(RedisLock lock, String script,
			Supplier<CompletableFuture<T>> batch) {
		return batch.get().exceptionallyCompose((failure) -> {
			if (!(cause(failure) instanceof RedisNoScriptException)) {
				return CompletableFuture.failedFuture(failure);
			}
			return this.client.getScript(LongCodec.INSTANCE)
				.scriptLoadAsync(lock.key(), script)
				.toCompletableFuture()
				.thenCompose((loaded) -> batch.get());
		});
	}

	private static @Nullable Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException) ? failure.getCause() : failure;
	}

	/** Redisson itself maps the name, which selects the server. */
	private static <T> CompletableFuture<T> run(RScriptAsync scripts, ReturnType type, RedisLock lock, String script,
			List<String> keys, Object... arguments) {
		List<Object> inBytes = new ArrayList<>(keys.size());
		keys.forEach((key) -> inBytes.add(bytes(key)));
		return scripts.<T>evalAsync(lock.name(), Mode.READ_WRITE, script, type, inBytes, arguments)
			.toCompletableFuture();
	}

	static byte[] bytes(String key) {
		return key.getBytes(StandardCharsets.UTF_8);
	}

	/** The command has been sent even if this method fails. */
	static <T extends @Nullable Object> T await(CompletableFuture<T> reply, String what, InterruptibleWait waiting)
			throws InterruptedException {
		try {
			return waiting.get(reply, TIMEOUT);
		}
		catch (ExecutionException ex) {
			throw unavailable(what, ex);
		}
		catch (TimeoutException ex) {
			reply.completeExceptionally(ex);
			throw unavailable(what, ex);
		}
	}

	/** The first command of a client connects it, and throws if there is no server. */
	static <T extends @Nullable Object> T attempt(Supplier<T> command, String what) {
		try {
			return command.get();
		}
		catch (RuntimeException ex) {
			throw unavailable(what, ex);
		}
	}

	static LockUnavailableException unavailable(String what, Throwable failure) {
		return new LockUnavailableException("The lock engine 'redisson' could not " + what + ": " + reason(failure)
				+ ". Check the Redis servers that spring.data.redis or your own RedissonClient names, their log and"
				+ " the permissions of their user (ACL LOG)", failure);
	}

	static boolean isWrongType(LockUnavailableException failure) {
		return failure.getMessage() != null && failure.getMessage().contains(": WRONGTYPE ");
	}

	/** No connection, or the server cannot run it now, as during a failover. */
	static boolean didNotRun(LockUnavailableException failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof RedisConnectionException || cause instanceof RedisRetryException
					|| cause instanceof RedisReadonlyException || cause instanceof RedisNodeNotFoundException) {
				return true;
			}
		}
		return false;
	}

	/** The message of the deepest cause: Redisson appends whole scripts to a reply. */
	private static String reason(Throwable failure) {
		Throwable deepest = failure;
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			deepest = (cause.getMessage() != null) ? cause : deepest;
		}
		String message = String.valueOf(deepest.getMessage()).lines().findFirst().orElse("");
		return deepest.getClass().getSimpleName() + ": "
				+ message.substring(0, Math.min(message.length(), MAX_REASON_LENGTH));
	}

}

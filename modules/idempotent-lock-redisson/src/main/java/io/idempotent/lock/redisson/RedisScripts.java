package io.idempotent.lock.redisson;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
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
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNoScriptException;
import org.redisson.client.codec.LongCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * Runs the scripts of locks through Redisson's public API. Redisson sends a script by its
 * digest and loads it if the server does not know it. It sends each script once: after a
 * response timeout the script may have run, and must not run again.
 *
 * <p>
 * Script keys are passed as bytes, which Redisson sends unchanged. Strings would go
 * through the client's name mapper, and no name maps to a key such as
 * <code>redisson_lock_token:{name}</code>, whose prefix precedes the mapped name.
 */
final class RedisScripts {

	private final RedissonClient client;

	private final Config config;

	private final RScriptAsync scripts;

	private final RScriptAsync texts;

	private final ReplicaCounts replicas;

	RedisScripts(RedissonClient client) {
		this.client = client;
		this.config = client.getConfig();
		this.scripts = client.getScript(OptionalOptions.defaults().codec(LongCodec.INSTANCE).retryAttempts(0));
		this.texts = client.getScript(OptionalOptions.defaults().codec(StringCodec.INSTANCE).retryAttempts(0));
		this.replicas = new ReplicaCounts(this.config.isClusterConfig());
	}

	/**
	 * Runs a script that returns whether it changed anything.
	 * @param lock the lock
	 * @param script the script
	 * @param keys the keys of the script, as bytes
	 * @param arguments the arguments of the script
	 */
	CompletableFuture<Boolean> run(LockKeys lock, String script, List<Object> keys, Object... arguments) {
		return run(this.scripts, ReturnType.BOOLEAN, lock, script, keys, arguments);
	}

	/**
	 * Runs a script that returns a number.
	 * @param lock the lock
	 * @param script the script
	 * @param keys the keys of the script, as bytes
	 * @param arguments the arguments of the script
	 */
	CompletableFuture<Long> number(LockKeys lock, String script, List<Object> keys, Object... arguments) {
		return run(this.texts, ReturnType.LONG, lock, script, keys, arguments);
	}

	/**
	 * Runs a script that returns texts.
	 * @param lock the lock
	 * @param script the script
	 * @param keys the keys of the script, as bytes
	 * @param arguments the arguments of the script
	 */
	CompletableFuture<List<String>> read(LockKeys lock, String script, List<Object> keys, Object... arguments) {
		return run(this.texts, ReturnType.LIST, lock, script, keys, arguments);
	}

	/**
	 * Runs a script that grants a lock. If the server has replicas, the reply is complete
	 * when all of them have received the grant, or {@code slavesSyncTimeout} has passed.
	 * @param lock the lock
	 * @param script the script, which returns a token and a time
	 * @param keys the keys of the script, as bytes
	 * @param arguments the arguments of the script
	 * @return the reply; fails if no replica has received the grant, unless Redisson's
	 * {@code checkLockSyncedSlaves} is {@code false}
	 */
	CompletableFuture<List<Long>> grant(LockKeys lock, String script, List<Object> keys, Object... arguments) {
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

	private CompletableFuture<Integer> countReplicas(LockKeys lock) {
		CompletableFuture<Long> reply = run(this.scripts, ReturnType.LONG, lock, LockScripts.COUNT_REPLICAS,
				List.of(bytes(lock.key())));
		return reply.thenApply(Long::intValue);
	}

	private CompletableFuture<List<Long>> runAndWait(int count, LockKeys lock, String script, List<Object> keys,
			Object... arguments) {
		Duration timeout = Duration.ofMillis(this.config.getSlavesSyncTimeout());
		RBatch batch = this.client.createBatch(BatchOptions.defaults().retryAttempts(0).sync(count, timeout));
		CompletableFuture<List<Long>> reply = run(batch.getScript(LongCodec.INSTANCE), ReturnType.LIST, lock, script,
				keys, arguments);
		return batch.executeAsync()
			.toCompletableFuture()
			.thenCombine(reply, (result, granted) -> checkSynced(result, granted, count, lock));
	}

	private List<Long> checkSynced(BatchResult<?> result, List<Long> reply, int count, LockKeys lock) {
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

	/**
	 * Repeats a batch after loading its script. Redisson loads the scripts of a batch
	 * once per server, and does not notice that a server has lost them in a restart.
	 */
	private <T> CompletableFuture<T> loadIfMissing(LockKeys lock, String script, Supplier<CompletableFuture<T>> batch) {
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

	/**
	 * Redisson itself maps the name, which selects the server.
	 */
	private static <T> CompletableFuture<T> run(RScriptAsync scripts, ReturnType type, LockKeys lock, String script,
			List<Object> keys, Object... arguments) {
		return scripts.<T>evalAsync(lock.name(), Mode.READ_WRITE, script, type, keys, arguments).toCompletableFuture();
	}

	static List<Object> inBytes(String... keys) {
		return Arrays.stream(keys).<Object>map(RedisScripts::bytes).toList();
	}

	static byte[] bytes(String key) {
		return key.getBytes(StandardCharsets.UTF_8);
	}

	private static @Nullable Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException) ? failure.getCause() : failure;
	}

}

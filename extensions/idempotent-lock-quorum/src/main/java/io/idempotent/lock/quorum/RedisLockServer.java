package io.idempotent.lock.quorum;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.codec.StringCodec;

/**
 * A Redis server that votes on locks. Each method sends one script without a retry: after
 * a time-out the script may have run, and must not run again.
 */
record RedisLockServer(ServerConnection connection) implements LockServer {

	@Override
	public CompletableFuture<?> connect() {
		return this.connection.connect();
	}

	@Override
	public CompletableFuture<TakeReply> take(String lock, String owner, Duration lease) {
		CompletableFuture<List<Object>> reply = run(QuorumScripts.TAKE, ReturnType.LIST,
				List.of(key(lock), counter(lock)), owner, millis(lease));
		return reply.thenApply(RedisLockServer::takeReply);
	}

	private static TakeReply takeReply(List<Object> reply) {
		return ((Long) reply.get(0) == 1) ? new TakeReply(true, (Long) reply.get(1), (Long) reply.get(2), 0, null)
				: new TakeReply(false, 0, 0, (Long) reply.get(1), (String) reply.get(2));
	}

	@Override
	public CompletableFuture<Boolean> raise(String lock, String owner, long token) {
		return run(QuorumScripts.RAISE, ReturnType.BOOLEAN, List.of(key(lock), counter(lock)), owner,
				String.valueOf(token));
	}

	@Override
	public CompletableFuture<Holder> renew(String lock, String owner, Duration lease) {
		CompletableFuture<Long> reply = run(QuorumScripts.RENEW, ReturnType.LONG, List.of(key(lock)), owner,
				millis(lease));
		return reply.thenApply((holder) -> (holder == 1) ? Holder.THIS : (holder == 0) ? Holder.OTHER : Holder.NONE);
	}

	@Override
	public CompletableFuture<Boolean> join(String lock, String owner, Duration lease, long token) {
		return run(QuorumScripts.JOIN, ReturnType.BOOLEAN, List.of(key(lock), counter(lock)), owner, millis(lease),
				String.valueOf(token));
	}

	@Override
	public CompletableFuture<Boolean> release(String lock, String owner, Duration stayLocked, boolean publish) {
		return run(QuorumScripts.RELEASE, ReturnType.BOOLEAN, List.of(key(lock)), owner,
				stayLocked.isZero() ? "0" : millis(stayLocked), publish ? channel(lock) : "");
	}

	@Override
	public CompletableFuture<ServerState> inspect(String lock) {
		CompletableFuture<List<Object>> reply = run(QuorumScripts.INSPECT, ReturnType.LIST,
				List.of(key(lock), counter(lock)));
		return reply.thenApply(RedisLockServer::serverState);
	}

	private static ServerState serverState(List<Object> reply) {
		return new ServerState((String) reply.get(0), (Long) reply.get(1), (Long) reply.get(2));
	}

	@Override
	public CompletableFuture<Runnable> subscribe(String lock, Runnable listener) {
		try {
			RTopic topic = this.connection.client().getTopic(channel(lock), StringCodec.INSTANCE);
			return topic.addListenerAsync(String.class, (channel, release) -> listener.run())
				.toCompletableFuture()
				.thenApply((id) -> () -> unsubscribe(topic, id));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static void unsubscribe(RTopic topic, Integer listener) {
		CompletableFuture<?> unused = topic.removeListenerAsync(listener).toCompletableFuture();
	}

	private <T> CompletableFuture<T> run(String script, ReturnType type, List<Object> keys, Object... arguments) {
		try {
			RedissonClient client = this.connection.client();
			return client.getScript(OptionalOptions.defaults().codec(StringCodec.INSTANCE).retryAttempts(0))
				.<T>evalAsync(Mode.READ_WRITE, script, type, keys, arguments)
				.toCompletableFuture();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static Object key(String lock) {
		return bytes(lock + ":quorum");
	}

	private static Object counter(String lock) {
		return bytes(lock + ":quorum-token");
	}

	private static String channel(String lock) {
		return lock + ":quorum";
	}

	private static byte[] bytes(String key) {
		return key.getBytes(StandardCharsets.UTF_8);
	}

	/** Rounded up, so that Redis does not end a lease before this JVM does. */
	private static String millis(Duration time) {
		return String.valueOf(Math.max(1, time.plusNanos(999_999).toMillis()));
	}

	@Override
	public void close() {
		this.connection.close();
	}

	@Override
	public String toString() {
		return this.connection.toString();
	}

}

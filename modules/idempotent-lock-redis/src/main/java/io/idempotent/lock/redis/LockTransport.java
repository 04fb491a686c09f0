package io.idempotent.lock.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

/**
 * Sends the scripts of locks to Redis, and receives the messages of releases. No method
 * waits for a reply. A script is sent once. If the reply is lost, the result is a
 * failure, and the script may have run or not, or even twice, since Lettuce sends it
 * again on the next connection. Safe for use by many threads.
 */
interface LockTransport {

	/** Differs from the id of every other transport and of every Redisson client. */
	String id();

	/** The key of a lock; may connect on the calling thread. */
	String key(String lock);

	/**
	 * Runs a script that returns a number.
	 * @param lock the name of the lock, on whose server it runs
	 * @param keys the first is that of the lock
	 */
	CompletableFuture<Long> number(String lock, String script, List<String> keys, Object... arguments);

	/** As {@link #number}, for a script that returns a list of texts. */
	CompletableFuture<List<@Nullable String>> texts(String lock, String script, List<String> keys, Object... arguments);

	/**
	 * As {@link #number}, for a script that grants a lock if its reply is positive. If
	 * the server has replicas, the reply is complete when as many as are known have
	 * received the grant, or have not within some time. It fails if none has, unless
	 * Redisson is configured not to check that.
	 */
	CompletableFuture<Long> grant(String lock, String script, List<String> keys, Object... arguments);

	/** Whether the channel of a lock is sharded; all nodes agree on that. */
	CompletableFuture<Boolean> sharded(String channel);

	/** Adds a listener. Completes with an action that removes it, without waiting. */
	CompletableFuture<Runnable> listen(String channel, ReleaseSubscription listener);

	/** Whether the cause of a failure means that a script has not run. */
	boolean meansNotRun(Throwable cause);

	/**
	 * Whether the cause of a failure means that there was no reply of the server. Unless
	 * another cause means that the script has not run, it may have.
	 */
	boolean meansLostReply(Throwable cause);

	/** Closes the connections that it has opened itself. */
	default void close() {
	}

	static Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	static byte[] bytes(Object value) {
		return value.toString().getBytes(StandardCharsets.UTF_8);
	}

	static byte[][] inBytes(Object... values) {
		byte[][] bytes = new byte[values.length][];
		for (int i = 0; i < values.length; i++) {
			bytes[i] = bytes(values[i]);
		}
		return bytes;
	}

}

package io.idempotent.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisReadonlyException;
import org.redisson.client.RedisRetryException;

/**
 * Waits for replies of Redis and translates failures.
 */
final class RedisFutures {

	/**
	 * Longer than Redisson's own timeouts, for a wait that Redisson never ends.
	 */
	private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(30);

	private static final int MAX_REASON_LENGTH = 200;

	private RedisFutures() {
	}

	/**
	 * Waits for a reply.
	 * @param <T> the type of the reply
	 * @param reply the reply; the command has been sent even if this method fails
	 * @param what what the command does, for messages
	 * @param waiting how the thread waits
	 * @throws InterruptedException if an interrupt ends the wait
	 */
	static <T> T await(CompletableFuture<T> reply, String what, InterruptibleWait waiting) throws InterruptedException {
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

	/**
	 * Sends a command and waits for the reply. An interrupt does not end the wait; the
	 * thread is interrupted afterwards.
	 * @param <T> the type of the reply
	 * @param command sends the command
	 * @param what what the command does, for messages
	 */
	static <T> T awaitUninterruptibly(Supplier<CompletableFuture<T>> command, String what) {
		CompletableFuture<T> reply = send(command, what);
		try (InterruptibleWait waiting = InterruptibleWait.throughInterrupts()) {
			return await(reply, what, waiting);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("An uninterruptible wait was interrupted", ex);
		}
	}

	/**
	 * Calls Redisson without waiting for a reply. The first command of a client connects
	 * it, and throws if there is no server.
	 * @param <T> the type of the result
	 * @param command calls Redisson
	 * @param what what the command does, for messages
	 */
	static <T> T send(Supplier<T> command, String what) {
		try {
			return command.get();
		}
		catch (RuntimeException ex) {
			throw unavailable(what, ex);
		}
	}

	/**
	 * Creates the exception for a command that failed.
	 * @param what the purpose of the command
	 * @param failure why it failed
	 */
	static LockUnavailableException unavailable(String what, Throwable failure) {
		return new LockUnavailableException("The lock engine 'redisson' could not " + what + ": " + reason(failure)
				+ ". Check the Redis servers that spring.data.redis or your own RedissonClient names, their log and"
				+ " the permissions of their user (ACL LOG)", failure);
	}

	/**
	 * Whether Redis refused a key because of its type.
	 * @param failure the failure of a command
	 */
	static boolean isWrongType(LockUnavailableException failure) {
		return failure.getMessage() != null && failure.getMessage().contains(": WRONGTYPE ");
	}

	/**
	 * Whether a command did not run: there was no connection to send it on, or the server
	 * cannot run it now, as during a failover.
	 * @param failure the failure of the command
	 * @return whether it did not run
	 */
	static boolean didNotRun(LockUnavailableException failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof RedisConnectionException || cause instanceof RedisRetryException
					|| cause instanceof RedisReadonlyException || cause instanceof RedisNodeNotFoundException) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The message of the deepest cause that has one. Redisson appends whole scripts to
	 * the reply of the server.
	 */
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

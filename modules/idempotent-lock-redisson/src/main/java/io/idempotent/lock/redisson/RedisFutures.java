package io.idempotent.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisReadonlyException;
import org.redisson.client.RedisRetryException;

/** Waits for replies of Redis and translates failures. */
final class RedisFutures {

	/** Longer than Redisson's own timeouts, for a wait that Redisson never ends. */
	private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(30);

	private static final int MAX_REASON_LENGTH = 200;

	private RedisFutures() {
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
	static <T extends @Nullable Object> T send(Supplier<T> command, String what) {
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

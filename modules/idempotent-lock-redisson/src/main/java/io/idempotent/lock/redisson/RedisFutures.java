package io.idempotent.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import org.jspecify.annotations.Nullable;

/**
 * Waits for what Redis answers, and says what is wrong where it does not.
 */
final class RedisFutures {

	/**
	 * Redisson's own time-outs come first. This one is for the answer that it forgets.
	 */
	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

	private static final int LONGEST_REASON = 200;

	private RedisFutures() {
	}

	/**
	 * Waits for an answer.
	 * @param <T> the answer
	 * @param question what to call Redis for; it is under way even if this fails
	 * @param what was asked, for people
	 * @param waiting how the thread waits
	 * @return the answer
	 * @throws InterruptedException if an interrupt ends the wait
	 */
	static <T> T await(CompletableFuture<T> question, String what, InterruptibleWait waiting)
			throws InterruptedException {
		try {
			return waiting.get(question, PATIENCE);
		}
		catch (ExecutionException ex) {
			throw unavailable(what, ex);
		}
		catch (TimeoutException ex) {
			question.completeExceptionally(ex);
			throw unavailable(what, ex);
		}
	}

	/**
	 * Asks and waits for the answer, and leaves an interrupt for later.
	 * @param <T> the answer
	 * @param question what to call Redis for
	 * @param what is asked, for people
	 * @return the answer
	 */
	static <T> T awaitUninterruptibly(Supplier<CompletableFuture<T>> question, String what) {
		CompletableFuture<T> asked = ask(question, what);
		try (InterruptibleWait waiting = InterruptibleWait.throughInterrupts()) {
			return await(asked, what, waiting);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("An uninterruptible wait was interrupted", ex);
		}
	}

	/**
	 * Asks without waiting. The first question of a client connects it, and fails where
	 * it is asked if there is nothing to connect to.
	 * @param <T> the answer
	 * @param question what to call Redis for
	 * @param what is asked, for people
	 * @return the answer on its way
	 */
	static <T> T ask(Supplier<T> question, String what) {
		try {
			return question.get();
		}
		catch (RuntimeException ex) {
			throw unavailable(what, ex);
		}
	}

	/**
	 * Says what was asked in vain.
	 * @param what was asked, for people
	 * @param failure why it was in vain
	 * @return the exception
	 */
	static LockUnavailableException unavailable(String what, Throwable failure) {
		return new LockUnavailableException("The lock engine 'redisson' could not " + what + ": " + reason(failure)
				+ ". Check the Redis servers that spring.data.redis or your own RedissonClient names, their log and"
				+ " the permissions of their user (ACL LOG)", failure);
	}

	/**
	 * Whether Redis refused a key because of its type.
	 * @param failure what was said of the answer
	 * @return whether it did
	 */
	static boolean isWrongType(LockUnavailableException failure) {
		return failure.getMessage() != null && failure.getMessage().contains(": WRONGTYPE ");
	}

	/**
	 * Says that the key of a lock holds something else.
	 * @param lock the lock
	 * @param failure what Redis said, if it did
	 * @return the exception
	 */
	static LockUnavailableException foreignKey(RedisLock lock, @Nullable Throwable failure) {
		return new LockUnavailableException("The lock engine 'redisson' cannot take " + lock + ": Redis has a key of"
				+ " this name that is no lock (it has another type, or no time to live). Rename or delete that key, or"
				+ " keep the names of locks apart from those of data with idempotent.lock.namespace or"
				+ " idempotent.lock.redisson.key-prefix", failure);
	}

	/**
	 * The deepest word of explanation. Redisson adds whole scripts to what the server
	 * says.
	 */
	private static String reason(Throwable failure) {
		Throwable told = failure;
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			told = (cause.getMessage() != null) ? cause : told;
		}
		String said = String.valueOf(told.getMessage()).lines().findFirst().orElse("");
		return told.getClass().getSimpleName() + ": " + said.substring(0, Math.min(said.length(), LONGEST_REASON));
	}

}

package io.idempotent.lock.redis;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.support.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a node to Redis: waits for replies, and translates failures.
 */
final class LockClient {

	/** Longer than Redisson's own timeouts, for a wait that Redisson never ends. */
	private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(30);

	private static final int MAX_REASON_LENGTH = 200;

	private static final int MAX_REPETITIONS = 1000;

	private final String engine;

	private final LockTransport transport;

	private final String ownerPrefix;

	private final String ownerSuffix;

	/** After an outage, each costs Redis a command. */
	private final Semaphore repetitions = new Semaphore(MAX_REPETITIONS);

	private volatile boolean connected;

	private volatile boolean closed;

	/** Does not connect; the name of the node may be empty. */
	LockClient(String engine, LockTransport transport, String node) {
		this.engine = engine;
		this.transport = transport;
		this.ownerPrefix = transport.id() + ":";
		this.ownerSuffix = node.isEmpty() ? "" : ":" + node;
	}

	LockTransport transport() {
		return this.transport;
	}

	/** As Redisson's ids, but of a thread that cannot exist, and with the node's name. */
	String nextOwner() {
		return this.ownerPrefix + (ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE) + this.ownerSuffix;
	}

	/** Whether a command has ever succeeded. */
	boolean isConnected() {
		return this.connected;
	}

	/** May connect on the calling thread. */
	LockKeys keys(String lock) {
		return new LockKeys(this.transport.key(lock));
	}

	CompletableFuture<String> publishCommand(LockKeys keys) {
		return this.transport.sharded(keys.channel()).thenApply((sharded) -> sharded ? "SPUBLISH" : "PUBLISH");
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
		DaemonThreads.start("idempotent-lock-connect", () -> connect(command, reply));
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
		catch (Throwable ex) {
			// Also an error of another version: nothing else would end the wait.
			reply.completeExceptionally(ex);
		}
	}

	/** Returns false after the client was closed, or if too much waits already. */
	boolean repeat(Runnable work, int seconds) {
		if (this.closed || !this.repetitions.tryAcquire()) {
			return false;
		}
		CompletableFuture
			.delayedExecutor(seconds, TimeUnit.SECONDS, (due) -> DaemonThreads.start("idempotent-lock-give-back", due))
			.execute(() -> {
				this.repetitions.release();
				if (!this.closed) {
					work.run();
				}
			});
		return true;
	}

	void close() {
		this.closed = true;
		this.transport.close();
	}

	/** The command has been sent even if this method fails. */
	<T extends @Nullable Object> T await(CompletableFuture<T> reply, String what, InterruptibleWait waiting)
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
	<T extends @Nullable Object> T attempt(Supplier<T> command, String what) {
		try {
			return command.get();
		}
		catch (RuntimeException ex) {
			throw unavailable(what, ex);
		}
	}

	LockUnavailableException unavailable(String what, Throwable failure) {
		return unavailable(this.engine, what, failure);
	}

	static LockUnavailableException unavailable(String engine, String what, Throwable failure) {
		String advice = causes(failure).anyMatch(LinkageError.class::isInstance)
				? ". A class is missing on the class path, or has another version: Redisson must be 4.7 or newer"
				: ". Check the Redis servers that spring.data.redis or your own RedissonClient or RedisConnectionFactory names, their log"
						+ " and the permissions of their user (ACL LOG)";
		return new LockUnavailableException(
				"The lock engine '" + engine + "' could not " + what + ": " + reason(failure) + advice, failure);
	}

	/** For a key that has the name of a lock and is none. */
	LockUnavailableException foreignKey(String lock, @Nullable Throwable failure) {
		return new LockUnavailableException("The lock engine '" + this.engine + "' cannot use the lock '" + lock
				+ "': Redis has a key of this name that is no lock (it has another type, or no time to live). "
				+ "Rename or delete that key, or keep the names of locks apart from those of data with "
				+ "idempotent.lock.namespace", failure);
	}

	static boolean isWrongType(LockUnavailableException failure) {
		return failure.getMessage() != null && failure.getMessage().contains(": WRONGTYPE ");
	}

	/** No connection, or the server cannot run it now, as during a failover. */
	boolean didNotRun(LockUnavailableException failure) {
		return causes(failure).anyMatch(this.transport::meansNotRun);
	}

	/** The command may have run or not. Not for an error that the server has replied. */
	boolean hasLostReply(LockUnavailableException failure) {
		return !didNotRun(failure) && causes(failure).anyMatch(this.transport::meansLostReply);
	}

	/** The failure itself, its cause and so on. */
	static Stream<Throwable> causes(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
	}

	/** The message of the deepest cause: Redisson appends whole scripts to a reply. */
	private static String reason(Throwable failure) {
		Throwable deepest = failure;
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			deepest = (cause.getMessage() != null || cause instanceof TimeoutException) ? cause : deepest;
		}
		String message = ((deepest.getMessage() != null) ? deepest.getMessage() : "no reply in time").lines()
			.findFirst()
			.orElse("");
		return deepest.getClass().getSimpleName() + ": "
				+ message.substring(0, Math.min(message.length(), MAX_REASON_LENGTH));
	}

}

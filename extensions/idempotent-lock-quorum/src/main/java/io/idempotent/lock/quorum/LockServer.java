package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/** One of the servers that vote on locks. No method blocks; true means it was done. */
interface LockServer extends AutoCloseable {

	/** Connects, unless it is connected or has just failed to connect. */
	CompletableFuture<?> connect();

	/** Takes the lock for an owner if it is free. */
	CompletableFuture<TakeReply> take(String lock, String owner, Duration lease);

	/** Raises the counter to a greater token, if the owner has the lock. */
	CompletableFuture<Boolean> raise(String lock, String owner, long token);

	/** Restarts the lease, if the owner has the lock. Returns who has it. */
	CompletableFuture<Holder> renew(String lock, String owner, Duration lease);

	/** Takes a free lock for an owner that has it elsewhere; raises a lower counter. */
	CompletableFuture<Boolean> join(String lock, String owner, Duration lease, long token);

	/** Releases the owner's lock, which may stay taken; {@code publish} wakes waiters. */
	CompletableFuture<Boolean> release(String lock, String owner, Duration stayLocked, boolean publish);

	CompletableFuture<ServerState> inspect(String lock);

	/** Calls the listener on any thread. Completes with what ends the subscription. */
	CompletableFuture<Runnable> subscribe(String lock, Runnable listener);

	@Override
	void close();

	/** Who has a lock on one server: the requesting owner, another one, or nobody. */
	enum Holder {

		THIS,

		OTHER,

		NONE

	}

	/**
	 * A reply: if granted, the highest accepted token and the time in units of 16
	 * microseconds; otherwise the owner, and how long the lock stays taken.
	 */
	record TakeReply(boolean granted, long counter, long clock, long millisLeft, @Nullable String owner) {
	}

	/**
	 * What one server knows of a lock: its owner, empty if it is free there, and the
	 * highest token that the server has accepted, or 0.
	 */
	record ServerState(String owner, long millisLeft, long counter) {
	}

}

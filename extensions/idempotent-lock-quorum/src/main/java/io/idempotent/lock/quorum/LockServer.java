package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * One of the servers that vote on locks. No method blocks.
 */
interface LockServer extends AutoCloseable {

	/**
	 * Connects, unless it is connected or has just failed to connect.
	 * @return completes when it is connected
	 */
	CompletableFuture<?> connect();

	/**
	 * Takes the lock if it is free.
	 * @param lock the name of the lock
	 * @param owner the unique owner
	 * @param lease after which time the lock is free again
	 * @return whether this owner has it, and what the server knows
	 */
	CompletableFuture<TakeReply> take(String lock, String owner, Duration lease);

	/**
	 * Raises the counter, if the lock belongs to the owner and the counter is lower.
	 * @param lock the name of the lock
	 * @param owner the owner
	 * @param token the new value
	 * @return whether it was raised
	 */
	CompletableFuture<Boolean> raise(String lock, String owner, long token);

	/**
	 * Restarts the lease, if the lock belongs to the owner.
	 * @param lock the name of the lock
	 * @param owner the owner
	 * @param lease the lease from now
	 * @return to whom it belongs
	 */
	CompletableFuture<Holder> renew(String lock, String owner, Duration lease);

	/**
	 * Takes the lock, if it is free, for an owner that has it elsewhere, and raises the
	 * counter, if it is lower.
	 * @param lock the name of the lock
	 * @param owner the owner
	 * @param lease the lease from now
	 * @param token the token of the owner
	 * @return whether it was free
	 */
	CompletableFuture<Boolean> join(String lock, String owner, Duration lease, long token);

	/**
	 * Releases the lock, if it belongs to the owner.
	 * @param lock the name of the lock
	 * @param owner the owner
	 * @param stayLocked how long it stays taken nevertheless
	 * @param publish whether to notify those that wait
	 * @return whether it belonged to the owner
	 */
	CompletableFuture<Boolean> release(String lock, String owner, Duration stayLocked, boolean publish);

	/**
	 * Reads what the server knows of the lock.
	 * @param lock the name of the lock
	 * @return its owner, lease and counter
	 */
	CompletableFuture<ServerState> inspect(String lock);

	/**
	 * Listens for releases.
	 * @param lock the name of the lock
	 * @param listener is called for each release, on any thread
	 * @return ends the subscription; completes when it is established
	 */
	CompletableFuture<Runnable> subscribe(String lock, Runnable listener);

	@Override
	void close();

}

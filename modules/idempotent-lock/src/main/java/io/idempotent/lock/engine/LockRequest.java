package io.idempotent.lock.engine;

import java.time.Duration;

/**
 * A request for a lock.
 *
 * @param name the name of the lock, see {@link io.idempotent.lock.DistributedLocks}
 * @param lease how long the grant is valid without renewal, on engines that have leases
 * @param fair whether waiting nodes get the lock in turn; ignored by an engine that does
 * not support it
 * @param epoch a number that grows with every switch of this node to another engine. No
 * engine uses it yet; it allows an engine to refuse requests of a former epoch
 * @param interruptible whether an interrupt ends the wait. If not, the engine continues
 * to wait without losing its place, and leaves the thread interrupted when it returns
 */
public record LockRequest(String name, Duration lease, boolean fair, long epoch, boolean interruptible) {

	/**
	 * Creates a request whose wait an interrupt ends.
	 * @param name the name of the lock
	 * @param lease how long the grant is valid without renewal
	 * @param fair whether waiting nodes get the lock in turn
	 * @param epoch the epoch
	 */
	public LockRequest(String name, Duration lease, boolean fair, long epoch) {
		this(name, lease, fair, epoch, true);
	}

}

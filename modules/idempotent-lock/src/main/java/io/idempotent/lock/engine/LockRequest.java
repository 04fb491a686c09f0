package io.idempotent.lock.engine;

import java.time.Duration;

/**
 * What an engine is asked for.
 *
 * @param name what is locked, see {@link io.idempotent.lock.DistributedLocks}
 * @param lease how long the grant lives without renewal, on engines that have leases
 * @param fair whether waiting nodes take turns; an engine that cannot ignores it
 * @param epoch the number of the choice of engine under which this is asked. It grows
 * with every switch of this node, and no engine looks at it yet: a switch that all nodes
 * agree on will let an engine refuse an epoch that is over
 * @param interruptible whether an interrupt ends the wait. If not, the engine waits on
 * with the turn that it has, and leaves the thread interrupted when it returns
 */
public record LockRequest(String name, Duration lease, boolean fair, long epoch, boolean interruptible) {

	/**
	 * A request that an interrupt ends.
	 * @param name what is locked
	 * @param lease how long the grant lives without renewal
	 * @param fair whether waiting nodes take turns
	 * @param epoch the number of the choice of engine
	 */
	public LockRequest(String name, Duration lease, boolean fair, long epoch) {
		this(name, lease, fair, epoch, true);
	}

}

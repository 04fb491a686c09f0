package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.idempotent.lock.LockMode;

/**
 * A request for a lock.
 *
 * @param name the name of the lock, see {@link io.idempotent.lock.DistributedLocks}
 * @param mode whether the lock is shared, see {@link LockEngine#supports}
 * @param lease how long the grant is valid without renewal, on engines that have leases
 * @param fair whether waiting nodes get the lock in turn; ignored by an engine that does
 * not support it
 * @param interruptible whether an interrupt ends the wait. If not, the engine continues
 * to wait without losing its place, and leaves the thread interrupted when it returns
 * @param cancelled whether the grant is no longer wanted, since the locks are being
 * switched to another engine. An {@link InterruptibleWait} then ends even if the request
 * is not interruptible; a grant that is still returned is released
 */
public record LockRequest(String name, LockMode mode, Duration lease, boolean fair, boolean interruptible,
		BooleanSupplier cancelled) {

	/** For a request that is never cancelled. */
	public static final BooleanSupplier NEVER_CANCELLED = () -> false;

	/** Creates a request for an exclusive lock, whose wait an interrupt ends. */
	public LockRequest(String name, Duration lease, boolean fair) {
		this(name, LockMode.WRITE, lease, fair, true, NEVER_CANCELLED);
	}

	/** This request in another mode. */
	public LockRequest withMode(LockMode mode) {
		return new LockRequest(this.name, mode, this.lease, this.fair, this.interruptible, this.cancelled);
	}

	/** This request with a wait that no interrupt ends, only a cancellation. */
	public LockRequest uninterruptible() {
		return new LockRequest(this.name, this.mode, this.lease, this.fair, false, this.cancelled);
	}

	/** This request until it is cancelled, see {@link #cancelled()}. */
	public LockRequest until(BooleanSupplier cancelled) {
		return new LockRequest(this.name, this.mode, this.lease, this.fair, this.interruptible, cancelled);
	}

}

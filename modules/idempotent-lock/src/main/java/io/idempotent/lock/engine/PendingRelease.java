package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A release that the engine has not been told of.
 */
final class PendingRelease {

	/** A session that is gone takes its grants along; nobody repeats this for ever. */
	private static final Duration LONGEST = Duration.ofMinutes(10);

	private final LockGrant grant;

	private final long freeAt;

	private final long mootAt;

	private final AtomicBoolean underWay = new AtomicBoolean();

	PendingRelease(LockGrant grant, Duration keepFor) {
		this.grant = grant;
		Duration lease = grant.lease();
		this.freeAt = System.nanoTime() + keepFor.toNanos();
		this.mootAt = System.nanoTime() + ((lease != null) ? lease : LONGEST).toNanos();
	}

	boolean begin() {
		return this.underWay.compareAndSet(false, true);
	}

	void end() {
		this.underWay.set(false);
	}

	void release() {
		this.grant.release(Duration.ofNanos(Math.max(0, this.freeAt - System.nanoTime())));
	}

	/**
	 * Whether the lease has ended on its own by now.
	 * @return whether nothing is left to release
	 */
	boolean isMoot() {
		return this.mootAt - System.nanoTime() <= 0;
	}

}

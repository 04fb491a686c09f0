package io.idempotent.lock.engine;

import java.time.Duration;

/**
 * A release that the engine has not confirmed.
 */
final class PendingRelease {

	/**
	 * A grant without a lease ends with its session. A release of such a grant must not
	 * be repeated for ever.
	 */
	private static final Duration LONGEST = Duration.ofMinutes(10);

	private final LockGrant grant;

	private final long freeAt;

	private final long leaseEndsAt;

	PendingRelease(LockGrant grant, Duration stayLocked) {
		this.grant = grant;
		long now = System.nanoTime();
		Duration lease = grant.lease();
		this.freeAt = now + stayLocked.toNanos();
		this.leaseEndsAt = now + ((lease != null) ? lease : LONGEST).toNanos();
	}

	void send() {
		this.grant.release(Duration.ofNanos(Math.max(0, this.freeAt - System.nanoTime())));
	}

	/**
	 * Whether the lease has ended by itself.
	 * @return whether there is nothing left to release
	 */
	boolean leaseHasEnded() {
		return this.leaseEndsAt - System.nanoTime() <= 0;
	}

	@Override
	public String toString() {
		return "release with token " + this.grant.token();
	}

}

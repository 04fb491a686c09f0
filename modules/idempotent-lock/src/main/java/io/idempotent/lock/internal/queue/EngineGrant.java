package io.idempotent.lock.internal.queue;

import java.time.Duration;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.SwitchableEngine;

/**
 * What an engine has granted.
 *
 * @param asked the engine that was asked
 * @param engine the engine that has made the grant: the same one, or one that it has
 * passed the request on to
 * @param grant the grant
 * @param requestedAt when it was requested, by {@link System#nanoTime()}
 */
public record EngineGrant(LockEngine asked, LockEngine engine, LockGrant grant, long requestedAt) {

	/**
	 * A grant that the asked engine has made, itself or by another one.
	 */
	public static EngineGrant of(LockEngine asked, LockGrant grant, long requestedAt) {
		return new EngineGrant(asked,
				(asked instanceof SwitchableEngine switchable) ? switchable.engineOf(grant) : asked, grant,
				requestedAt);
	}

	/**
	 * Whether a third of the lease may have passed. An engine that had to wait does not
	 * report when it granted the lock, so that the lease counts from the request. A grant
	 * that may be old is renewed before it is used.
	 */
	public boolean mayBeOld() {
		Duration lease = this.grant.lease();
		return lease != null && System.nanoTime() - this.requestedAt >= lease.toNanos() / 3;
	}

	/** This grant in place of one whose lease is renewed. */
	public EngineGrant renewedAt(long time) {
		return new EngineGrant(this.asked, this.engine, this.grant, time);
	}

}

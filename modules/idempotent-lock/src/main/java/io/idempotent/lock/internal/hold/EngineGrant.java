package io.idempotent.lock.internal.hold;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.SwitchableEngine;

/**
 * A grant, the engine that was asked, the one that it passed the request on to, if any,
 * and the time of the request by {@link System#nanoTime()}.
 */
public record EngineGrant(LockEngine asked, LockEngine engine, LockGrant grant, long requestedAt) {

	public static EngineGrant of(LockEngine asked, LockGrant grant, long requestedAt) {
		return new EngineGrant(asked,
				(asked instanceof SwitchableEngine switchable) ? switchable.engineOf(grant) : asked, grant,
				requestedAt);
	}

	/**
	 * Whether a third of the lease may have passed: then it is renewed before it is used.
	 * The lease counts from the request, since an engine does not report how long it
	 * waited.
	 */
	boolean mayBeOld() {
		return System.nanoTime() - this.requestedAt >= this.grant.lease().toNanos() / 3;
	}

}

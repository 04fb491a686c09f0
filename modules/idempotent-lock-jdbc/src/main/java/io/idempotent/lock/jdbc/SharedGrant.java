package io.idempotent.lock.jdbc;

import java.time.Duration;

import io.idempotent.lock.engine.LockGrant;

/**
 * A shared lock that was granted with a lease.
 *
 * @param row the row of the reader
 * @param lease how long the grant lives without renewal
 */
record SharedGrant(SharedRow row, Duration lease) implements LockGrant {

	@Override
	public long token() {
		return 0;
	}

	@Override
	public GrantState renew(Duration lease) {
		return this.row.renew(lease) ? GrantState.HELD : GrantState.LOST;
	}

	@Override
	public GrantState release(Duration stayLocked) {
		return this.row.release(stayLocked) ? GrantState.HELD : GrantState.LOST;
	}

}

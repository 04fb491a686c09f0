package io.idempotent.lock.engine;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The grant of a read lock whose thread holds the write lock: valid while that one is, so
 * that the engine need not be asked.
 *
 * @param writer the write lock
 */
record CoveredGrant(HeldLock writer) implements LockGrant {

	@Override
	public long token() {
		return 0;
	}

	@Override
	public @Nullable Duration lease() {
		return null;
	}

	@Override
	public boolean isValid() {
		return this.writer.isValid();
	}

	@Override
	public Ownership renew(Duration lease) {
		return isValid() ? Ownership.HELD : Ownership.LOST;
	}

	@Override
	public Ownership release(Duration stayLocked) {
		return isValid() ? Ownership.HELD : Ownership.LOST;
	}

}

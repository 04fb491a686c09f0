package io.idempotent.lock.internal.hold;

import java.time.Duration;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import org.jspecify.annotations.Nullable;

/**
 * The grant of a read lock under a write lock, without the engine: valid while the write
 * lock is. If that is released first, a shared grant of the engine takes its place.
 */
final class ReaderGrant implements LockGrant {

	private final HeldLock writer;

	private volatile @Nullable LockGrant shared;

	ReaderGrant(HeldLock writer) {
		this.writer = writer;
	}

	/** The lock on whose lease a lock depends: the write lock, or else itself. */
	static HeldLock leaseholder(HeldLock held) {
		return (held.grant() instanceof ReaderGrant reader && reader.shared == null) ? reader.writer : held;
	}

	void continueWith(LockGrant shared) {
		this.shared = shared;
	}

	@Override
	public long token() {
		return 0;
	}

	@Override
	public Duration lease() {
		LockGrant own = this.shared;
		return (own != null) ? own.lease() : LockEngine.FOREVER;
	}

	@Override
	public boolean isValid() {
		LockGrant own = this.shared;
		return (own != null) ? own.isValid() : this.writer.isValid();
	}

	@Override
	public long nanosLeft(long now) {
		LockGrant own = this.shared;
		return (own != null) ? own.nanosLeft(now) : Long.MAX_VALUE;
	}

	@Override
	public LockGrant origin() {
		LockGrant own = this.shared;
		return (own != null) ? own.origin() : this;
	}

	@Override
	public GrantState renew(Duration lease) {
		LockGrant own = this.shared;
		return (own != null) ? own.renew(lease) : state();
	}

	@Override
	public void abandoned() {
		LockGrant own = this.shared;
		if (own != null) {
			own.abandoned();
		}
	}

	@Override
	public GrantState release(Duration stayLocked) {
		LockGrant own = this.shared;
		return (own != null) ? own.release(stayLocked) : state();
	}

	private GrantState state() {
		return this.writer.isValid() ? GrantState.HELD : GrantState.LOST;
	}

}

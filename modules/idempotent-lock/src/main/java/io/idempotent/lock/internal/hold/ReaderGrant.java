package io.idempotent.lock.internal.hold;

import java.time.Duration;

import io.idempotent.lock.engine.LockGrant;
import org.jspecify.annotations.Nullable;

/**
 * The grant of a read lock whose thread holds the write lock, so that the engine need not
 * be asked: valid while that one is. When the write lock is released before the read
 * lock, a shared grant of the engine takes its place.
 */
public final class ReaderGrant implements LockGrant {

	private final HeldLock writer;

	private volatile @Nullable LockGrant shared;

	public ReaderGrant(HeldLock writer) {
		this.writer = writer;
	}

	/**
	 * The lock on whose lease a lock depends.
	 * @param held the lock
	 * @return the write lock of a read lock, or else the lock itself
	 */
	public static HeldLock leaseholder(HeldLock held) {
		return (held.grant() instanceof ReaderGrant reader && reader.shared == null) ? reader.writer : held;
	}

	public void continueWith(LockGrant shared) {
		this.shared = shared;
	}

	@Override
	public long token() {
		return 0;
	}

	@Override
	public @Nullable Duration lease() {
		LockGrant own = this.shared;
		return (own != null) ? own.lease() : null;
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

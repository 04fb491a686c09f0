package io.idempotent.lock.engine;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What an engine knows of a lock. Properties that the engine does not know are
 * {@code null}.
 *
 * @param holders who holds the lock: one writer, or readers, of whom an engine may return
 * the first {@value #MAX_HOLDERS}; empty if it is free
 * @param waiters how many nodes wait for the lock at the engine
 * @param lastToken the highest fencing token that was granted
 */
public record LockState(List<LockHolder> holders, @Nullable Integer waiters, @Nullable Long lastToken) {

	/** How many holders an engine returns at most. */
	public static final int MAX_HOLDERS = 100;

	/** A lock of which the engine knows only that it is free. */
	public static final LockState FREE = new LockState(List.of(), null, null);

	/** Copies the list. */
	public LockState {
		holders = List.copyOf(holders);
	}

	/** Whether there is a holder. */
	public boolean isHeld() {
		return !this.holders.isEmpty();
	}

}

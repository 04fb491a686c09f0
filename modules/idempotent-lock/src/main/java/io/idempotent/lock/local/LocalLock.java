package io.idempotent.lock.local;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.idempotent.lock.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one name: its holders, and the threads that wait for it, which are served
 * in the order of their arrival. Guarded by its engine.
 */
final class LocalLock {

	private final Set<Hold> holds = new HashSet<>();

	private final Queue<Waiter> waiters = new ArrayDeque<>();

	/**
	 * Takes the lock without waiting. No reader overtakes a writer that waits for
	 * readers.
	 * @param mode the mode
	 * @return the hold, or {@code null} if the lock is taken
	 */
	@Nullable Hold tryTake(LockMode mode) {
		boolean free = (mode == LockMode.READ) ? !hasWriter() && this.waiters.isEmpty() : this.holds.isEmpty();
		return free ? take(mode) : null;
	}

	/**
	 * Adds a thread that waits, and serves it if the lock has become free.
	 * @param mode the mode it wants
	 * @return its place
	 */
	Waiter await(LockMode mode) {
		Waiter waiter = new Waiter(mode, new CompletableFuture<>());
		this.waiters.add(waiter);
		admit();
		return waiter;
	}

	/**
	 * Ends a wait without a hold.
	 * @param waiter the place
	 */
	void quit(Waiter waiter) {
		if (this.waiters.remove(waiter)) {
			admit();
		}
	}

	boolean isHeld(Hold hold) {
		return this.holds.contains(hold);
	}

	/**
	 * Ends a hold, and serves the waiters that can hold the lock now.
	 * @param hold the hold
	 * @return whether it was held until now
	 */
	boolean release(Hold hold) {
		boolean held = this.holds.remove(hold);
		if (held) {
			admit();
		}
		return held;
	}

	/**
	 * Replaces an exclusive hold by another one, unless readers wait.
	 * @param hold the current hold
	 * @return the next one, or {@code null} if nothing was changed
	 */
	@Nullable Hold handOff(Hold hold) {
		if (this.waiters.stream().anyMatch((waiter) -> waiter.mode() == LockMode.READ) || !this.holds.remove(hold)) {
			return null;
		}
		return take(LockMode.WRITE);
	}

	/**
	 * Replaces an exclusive hold by a shared one, and admits readers that wait.
	 * @param hold the exclusive hold
	 * @return the shared one, or {@code null} if nothing was changed
	 */
	@Nullable Hold downgrade(Hold hold) {
		if (!this.holds.remove(hold)) {
			return null;
		}
		Hold shared = take(LockMode.READ);
		admit();
		return shared;
	}

	boolean isUnused() {
		return this.holds.isEmpty() && this.waiters.isEmpty();
	}

	private boolean hasWriter() {
		return this.holds.stream().anyMatch((hold) -> hold.mode() == LockMode.WRITE);
	}

	private Hold take(LockMode mode) {
		Hold hold = new Hold(mode);
		this.holds.add(hold);
		return hold;
	}

	/**
	 * Serves the first waiter, and with a reader all those up to the next writer.
	 */
	private void admit() {
		Waiter first = this.waiters.peek();
		while (first != null && ((first.mode() == LockMode.READ) ? !hasWriter() : this.holds.isEmpty())) {
			this.waiters.remove();
			first.hold().complete(take(first.mode()));
			first = this.waiters.peek();
		}
	}

	/**
	 * A thread that waits.
	 *
	 * @param mode the mode it wants
	 * @param hold completed when it holds the lock
	 */
	record Waiter(LockMode mode, CompletableFuture<Hold> hold) {
	}

	/**
	 * One holder of the lock, which equals no other.
	 */
	static final class Hold {

		private final LockMode mode;

		private Hold(LockMode mode) {
			this.mode = mode;
		}

		LockMode mode() {
			return this.mode;
		}

	}

}

package io.idempotent.lock.local;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.administration.LockHolder;
import io.idempotent.lock.administration.LockState;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one name: its holders, and the threads that wait for it, which are served
 * in the order of their arrival. Guarded by its engine.
 */
final class LocalLock {

	private final AtomicLong tokens;

	private final Set<Hold> holds = new HashSet<>();

	private final Queue<Waiter> waiters = new ArrayDeque<>();

	/**
	 * Creates a lock that is free.
	 * @param tokens the last token of all locks
	 */
	LocalLock(AtomicLong tokens) {
		this.tokens = tokens;
	}

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

	/**
	 * Ends all holds, and serves the waiters that can hold the lock now.
	 * @return whether there were any
	 */
	boolean releaseAll() {
		List<Hold> ended = List.copyOf(this.holds);
		this.holds.clear();
		ended.forEach(Hold::end);
		admit();
		return !ended.isEmpty();
	}

	/**
	 * The holders and the number of waiters.
	 */
	LockState state() {
		List<LockHolder> holders = this.holds.stream().limit(LockState.MAX_HOLDERS).map(Hold::toHolder).toList();
		return new LockState(holders, this.waiters.size(), null);
	}

	boolean isUnused() {
		return this.holds.isEmpty() && this.waiters.isEmpty();
	}

	private boolean hasWriter() {
		return this.holds.stream().anyMatch((hold) -> hold.mode() == LockMode.WRITE);
	}

	private Hold take(LockMode mode) {
		Hold hold = new Hold(mode, (mode == LockMode.WRITE) ? this.tokens.incrementAndGet() : 0);
		this.holds.add(hold);
		return hold;
	}

	/**
	 * Serves the first waiter, and if it is a reader, all readers up to the next writer.
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
	 * One holder of the lock, compared by identity.
	 */
	static final class Hold {

		private final LockMode mode;

		private final long token;

		private volatile boolean ended;

		private Hold(LockMode mode, long token) {
			this.mode = mode;
			this.token = token;
		}

		LockMode mode() {
			return this.mode;
		}

		long token() {
			return this.token;
		}

		/**
		 * Whether the lock was taken away.
		 */
		boolean hasEnded() {
			return this.ended;
		}

		private void end() {
			this.ended = true;
		}

		private LockHolder toHolder() {
			return new LockHolder(null, null, true, this.mode, (this.mode == LockMode.WRITE) ? this.token : null, null);
		}

	}

}

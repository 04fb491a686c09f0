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
 * The lock of one name: its holders, and the threads that wait for it in the order of
 * their arrival. Guarded by its engine.
 */
final class LocalLock {

	private final AtomicLong tokens;

	private final Set<Hold> holds = new HashSet<>();

	private final Queue<Waiter> waiters = new ArrayDeque<>();

	/** Creates a free lock; all locks share the last token. */
	LocalLock(AtomicLong tokens) {
		this.tokens = tokens;
	}

	/** Does not wait. No reader overtakes a writer that waits for readers. */
	@Nullable Hold tryTake(LockMode mode) {
		boolean free = (mode == LockMode.READ) ? !hasWriter() && this.waiters.isEmpty() : this.holds.isEmpty();
		return free ? take(mode) : null;
	}

	/** Adds a thread that waits, and serves it if the lock has become free. */
	Waiter await(LockMode mode) {
		Waiter waiter = new Waiter(mode, new CompletableFuture<>());
		this.waiters.add(waiter);
		admit();
		return waiter;
	}

	/** A hold that was granted meanwhile is released. */
	boolean quit(Waiter waiter) {
		if (this.waiters.remove(waiter)) {
			admit();
		}
		Hold hold = waiter.hold().getNow(null);
		return hold != null && release(hold);
	}

	boolean isHeld(Hold hold) {
		return this.holds.contains(hold);
	}

	/** Returns whether the lock was held until now. */
	boolean release(Hold hold) {
		boolean held = this.holds.remove(hold);
		if (held) {
			admit();
		}
		return held;
	}

	/** Replaces an exclusive hold by another one, unless readers wait. */
	@Nullable Hold handOff(Hold hold) {
		if (this.waiters.stream().anyMatch((waiter) -> waiter.mode() == LockMode.READ) || !this.holds.remove(hold)) {
			return null;
		}
		return take(LockMode.WRITE);
	}

	/** Replaces an exclusive hold by a shared one, and admits readers that wait. */
	@Nullable Hold downgrade(Hold hold) {
		if (!this.holds.remove(hold)) {
			return null;
		}
		Hold shared = take(LockMode.READ);
		admit();
		return shared;
	}

	/** Returns whether there were any holders. */
	boolean releaseAll() {
		boolean held = !this.holds.isEmpty();
		this.holds.forEach((hold) -> hold.ended = true);
		this.holds.clear();
		admit();
		return held;
	}

	LockState state() {
		List<LockHolder> holders = this.holds.stream().limit(LockState.MAX_HOLDERS).map(Hold::info).toList();
		return new LockState(holders, this.waiters.size(), null);
	}

	boolean isUnused() {
		return this.holds.isEmpty() && this.waiters.isEmpty();
	}

	private boolean hasWriter() {
		return this.holds.stream().anyMatch((hold) -> hold.mode == LockMode.WRITE);
	}

	private Hold take(LockMode mode) {
		Hold hold = new Hold(mode, (mode == LockMode.WRITE) ? this.tokens.incrementAndGet() : 0);
		this.holds.add(hold);
		return hold;
	}

	/** Serves the first waiter; if it is a reader, all readers up to the next writer. */
	private void admit() {
		Waiter first = this.waiters.peek();
		while (first != null && ((first.mode() == LockMode.READ) ? !hasWriter() : this.holds.isEmpty())) {
			this.waiters.remove();
			first.hold().complete(take(first.mode()));
			first = this.waiters.peek();
		}
	}

	record Waiter(LockMode mode, CompletableFuture<Hold> hold) {
	}

	/** Compared by identity. */
	static final class Hold {

		private final LockMode mode;

		private final long token;

		private volatile boolean ended;

		private Hold(LockMode mode, long token) {
			this.mode = mode;
			this.token = token;
		}

		long token() {
			return this.token;
		}

		boolean hasEnded() {
			return this.ended;
		}

		private LockHolder info() {
			return new LockHolder(null, null, true, this.mode, (this.mode == LockMode.WRITE) ? this.token : null, null);
		}

	}

}

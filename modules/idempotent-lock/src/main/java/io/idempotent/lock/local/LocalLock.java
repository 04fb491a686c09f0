package io.idempotent.lock.local;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockState;
import io.idempotent.lock.local.LocalLockEngine.Grant;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one name: its holders, and the threads that wait for it in the order of
 * their arrival. Guarded by its engine.
 */
final class LocalLock {

	private final Function<LockMode, Grant> newGrant;

	private final Set<Grant> holders = new HashSet<>();

	private final Queue<Waiter> waiters = new ArrayDeque<>();

	LocalLock(Function<LockMode, Grant> newGrant) {
		this.newGrant = newGrant;
	}

	/** Does not wait. No reader overtakes a writer that waits for readers. */
	@Nullable Grant tryTake(LockMode mode) {
		boolean free = (mode == LockMode.READ) ? !hasWriter() && this.waiters.isEmpty() : this.holders.isEmpty();
		return free ? take(mode) : null;
	}

	/** Adds a thread that waits, and serves it if the lock has become free. */
	Waiter await(LockMode mode) {
		Waiter waiter = new Waiter(mode, new CompletableFuture<>());
		this.waiters.add(waiter);
		admit();
		return waiter;
	}

	/** What was granted meanwhile is released. */
	boolean giveUp(Waiter waiter) {
		if (this.waiters.remove(waiter)) {
			admit();
		}
		Grant grant = waiter.grant().getNow(null);
		return grant != null && release(grant);
	}

	boolean isHeld(Grant grant) {
		return this.holders.contains(grant);
	}

	/** Returns whether the lock was held until now. */
	boolean release(Grant grant) {
		boolean held = this.holders.remove(grant);
		if (held) {
			admit();
		}
		return held;
	}

	/** Replaces an exclusive grant by another one, unless readers wait. */
	@Nullable Grant handOff(Grant grant) {
		if (this.waiters.stream().anyMatch((waiter) -> waiter.mode() == LockMode.READ) || !this.holders.remove(grant)) {
			return null;
		}
		return take(LockMode.WRITE);
	}

	/** Returns whether there were any holders. */
	boolean releaseAll() {
		boolean held = !this.holders.isEmpty();
		this.holders.forEach(Grant::end);
		this.holders.clear();
		admit();
		return held;
	}

	LockState state() {
		List<LockHolder> first = this.holders.stream().limit(LockState.MAX_HOLDERS).map(Grant::holder).toList();
		return new LockState(first, this.waiters.size(), null);
	}

	boolean isUnused() {
		return this.holders.isEmpty() && this.waiters.isEmpty();
	}

	private boolean hasWriter() {
		return this.holders.stream().anyMatch((grant) -> grant.mode() == LockMode.WRITE);
	}

	private Grant take(LockMode mode) {
		Grant grant = this.newGrant.apply(mode);
		this.holders.add(grant);
		return grant;
	}

	/** Serves the first waiter; if it is a reader, all readers up to the next writer. */
	private void admit() {
		Waiter first = this.waiters.peek();
		while (first != null && ((first.mode() == LockMode.READ) ? !hasWriter() : this.holders.isEmpty())) {
			this.waiters.remove();
			first.grant().complete(take(first.mode()));
			first = this.waiters.peek();
		}
	}

	record Waiter(LockMode mode, CompletableFuture<Grant> grant) {
	}

}

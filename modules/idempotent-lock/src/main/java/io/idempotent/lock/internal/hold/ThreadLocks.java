package io.idempotent.lock.internal.hold;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockObserver;
import org.jspecify.annotations.Nullable;

/**
 * The locks of threads: a thread enters a lock again that it holds, or acquires it. A thread holds few, so that a list is faster than a map.
 */
public final class ThreadLocks {

	/**
	 * A lock that another thread or its transaction has released is dropped with the next
	 * one. Not static: several nodes may exist in one JVM.
	 */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable List<HeldLock>> heldLocks = new ThreadLocal<>();

	private final EngineSelection engines;

	private final LockAcquisition acquisition;

	private final LockRelease release;

	public ThreadLocks(EngineSelection engines, LockListeners listeners, LockObserver observer) {
		this.engines = engines;
		this.acquisition = new LockAcquisition(engines, listeners, observer, this::validGrants, this::acquired);
		this.release = new LockRelease(engines, listeners);
	}

	public Collection<QueuedRequest> waiting() {
		return this.acquisition.waiting();
	}

	/** How many locks the threads of this JVM hold or wait for. */
	public int namesInUse() {
		return this.acquisition.namesInUse();
	}

	/** Lets no thread acquire a lock any more, not even one that waits in this JVM. */
	public void close() {
		this.acquisition.close();
	}

	/** Whether its engine is that of locks that name none. */
	public boolean isUsual(HeldLock held) {
		return held.lease().asked() == this.engines.first();
	}

	public void extend(HeldLock held, Duration time) {
		this.engines.monitor(held.engine()).extend(held, time);
	}

	/** The innermost lock of this name that the thread has not left. */
	private @Nullable HeldLock find(String name) {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks != null) {
			for (int i = locks.size() - 1; i >= 0; i--) {
				HeldLock held = locks.get(i);
				if (held.name().equals(name) && !held.isLeft()) {
					return held;
				}
			}
		}
		return null;
	}

	/** As long as the thread has an entry in this mode. */
	public @Nullable HeldLock find(String name, LockMode mode) {
		HeldLock held = find(name);
		return (held != null && held.count(mode) > 0) ? held : null;
	}

	public HeldLock require(String name, LockMode mode) {
		HeldLock held = find(name, mode);
		if (held == null) {
			throw new IllegalMonitorStateException("The current thread does not hold the "
					+ ((mode == LockMode.READ) ? "read lock '" : "lock '") + name + "'");
		}
		return held;
	}

	/** The innermost last. */
	public List<HeldLock> heldByCurrentThread() {
		List<HeldLock> locks = this.heldLocks.get();
		return (locks != null) ? locks.stream().filter((held) -> !held.isFree()).toList() : List.of();
	}

	private List<LockGrant> validGrants() {
		return heldByCurrentThread().stream().filter(HeldLock::isValid).map(HeldLock::grant).toList();
	}

	/**
	 * Throws an {@link InterruptedException} only if the request is interruptible, or the
	 * engine cannot ignore interrupts.
	 */
	public boolean acquire(QueuedRequest request) throws InterruptedException {
		HeldLock held = find(request.name());
		return (held != null && enterAgain(held, request.mode())) || this.acquisition.acquire(request);
	}

	private boolean enterAgain(HeldLock held, LockMode mode) {
		if (held.mode() == LockMode.READ && mode == LockMode.WRITE) {
			throw new IllegalMonitorStateException("The current thread holds the read lock '" + held.name()
					+ "' and cannot acquire its write lock, since it would wait for itself: unlock the read lock"
					+ " first, acquire the write lock, and read again what may have changed");
		}
		this.engines.monitor(held.engine()).loseIfLeaseEnded(held);
		if (!held.isValid() && !held.isReleased()) {
			throw held.lostException();
		}
		return held.enterAgain(mode);
	}

	/** Called by the thread that has acquired the lock. */
	private void acquired(HeldLock held) {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks == null) {
			locks = new ArrayList<>(2);
			this.heldLocks.set(locks);
		}
		locks.removeIf((former) -> former.isFree());
		locks.add(held);
		held.grant().origin().whenEnded(() -> this.release.releaseWithTransaction(held));
	}

	/** Leaves the lock once; called by any thread. */
	public void leave(HeldLock held, LockMode mode) {
		if (held.leave(mode)) {
			remove(held);
			this.release.release(held);
		}
		else if (held.isLost()) {
			throw held.lostException();
		}
	}

	private void remove(HeldLock held) {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks != null && locks.remove(held) && locks.isEmpty()) {
			this.heldLocks.remove();
		}
	}

}

package io.idempotent.lock.internal;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import io.idempotent.function.ThrowingFunction;
import io.idempotent.lock.DeferrableLock;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.MultiLock;
import org.jspecify.annotations.Nullable;

/** Acquires locks one after another; if one is not free, releases those before it. */
record EngineMultiLock(List<EngineLock> locks) implements MultiLock, DeferrableLock {

	@Override
	public List<String> names() {
		return this.locks.stream().map(DistributedLock::name).toList();
	}

	@Override
	public boolean isValid() {
		return this.locks.stream().allMatch(DistributedLock::isValid);
	}

	@Override
	public long fencingToken(String name) {
		return this.locks.stream()
			.filter((lock) -> lock.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("The lock '" + name + "' is none of " + names()))
			.fencingToken();
	}

	@Override
	public void onLoss(LockListener listener) {
		requireAcquired();
		this.locks.forEach((lock) -> lock.onLoss(listener));
	}

	@Override
	public void lock() {
		acquireAll((lock) -> {
			lock.lock();
			return true;
		});
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		acquireAll((lock) -> lock.acquireInterruptibly(QueuedRequest.FOREVER));
	}

	@Override
	public boolean tryLock() {
		return acquireAll(EngineLock::tryLock);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		long end = System.nanoTime() + Math.max(0, unit.toNanos(time));
		return acquireAll((lock) -> lock.acquireInterruptibly(end - System.nanoTime()));
	}

	@Override
	public void unlock() {
		deferredUnlock().run();
	}

	@Override
	public Runnable deferredUnlock() {
		requireAcquired();
		List<Runnable> unlocks = this.locks.stream().map(EngineLock::deferredUnlock).toList();
		return () -> {
			Throwable failure = releaseAll(unlocks);
			if (failure instanceof RuntimeException unchecked) {
				throw unchecked;
			}
			LeaseMonitor.throwIfError(failure);
		};
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException(
				"The locks " + names() + " have no conditions: a condition cannot be awaited across nodes");
	}

	@Override
	public String toString() {
		return "MultiLock" + names();
	}

	private void requireAcquired() {
		List<String> missing = this.locks.stream()
			.filter((lock) -> !lock.isToBeUnlocked())
			.map(EngineLock::name)
			.toList();
		if (!missing.isEmpty()) {
			throw new IllegalMonitorStateException(
					"The current thread does not hold the locks " + missing + " of " + names());
		}
	}

	private <X extends Exception> boolean acquireAll(ThrowingFunction<EngineLock, Boolean, X> acquire) throws X {
		int acquired = 0;
		try {
			while (acquired < this.locks.size() && acquire.apply(this.locks.get(acquired))) {
				acquired++;
			}
		}
		catch (Throwable ex) {
			Throwable failure = releaseFirst(acquired);
			if (failure != null && failure != ex) {
				ex.addSuppressed(failure);
			}
			throw ex;
		}
		if (acquired < this.locks.size()) {
			// A lock that was lost meanwhile does not matter: nothing ran under it.
			LeaseMonitor.throwIfError(releaseFirst(acquired));
			return false;
		}
		if (!isValid()) {
			throw lost();
		}
		return true;
	}

	/**
	 * The lease of one lock ended while the others were waited for. Its unlock throws a
	 * LockLostException, unless the thread also holds it in an outer call.
	 */
	private LockLostException lost() {
		String name = this.locks.stream()
			.filter((lock) -> !lock.isValid())
			.map(EngineLock::name)
			.findFirst()
			.orElse("");
		unlock();
		return new LockLostException(name, "The lock '" + name + "' was lost while waiting for the others of " + names()
				+ ": those that were obtained have been released");
	}

	private @Nullable Throwable releaseFirst(int acquired) {
		return releaseAll(this.locks.subList(0, acquired).stream().<Runnable>map((lock) -> lock::unlock).toList());
	}

	/** In reverse order, all of them even if some fail; returns the first failure. */
	private static @Nullable Throwable releaseAll(List<Runnable> unlocks) {
		Throwable failure = null;
		for (int i = unlocks.size() - 1; i >= 0; i--) {
			try {
				unlocks.get(i).run();
			}
			catch (RuntimeException | Error ex) {
				if (failure == null) {
					failure = ex;
				}
				else if (failure != ex) {
					failure.addSuppressed(ex);
				}
			}
		}
		return failure;
	}

}

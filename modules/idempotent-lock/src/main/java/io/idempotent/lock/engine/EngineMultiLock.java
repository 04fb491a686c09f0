package io.idempotent.lock.engine;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import io.idempotent.lock.DeferrableLock;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.MultiLock;
import org.jspecify.annotations.Nullable;

/**
 * Takes locks one after another, and all of them back if one is not to be had.
 */
final class EngineMultiLock implements MultiLock, DeferrableLock {

	private final List<EngineLock> locks;

	EngineMultiLock(List<EngineLock> sorted) {
		this.locks = List.copyOf(sorted);
	}

	@Override
	public List<String> names() {
		return this.locks.stream().map(DistributedLock::name).toList();
	}

	@Override
	public boolean isHeldByCurrentThread() {
		return this.locks.stream().allMatch(DistributedLock::isHeldByCurrentThread);
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
		requireInside();
		this.locks.forEach((lock) -> lock.onLoss(listener));
	}

	@Override
	public void lock() {
		takeAll((lock) -> {
			lock.lock();
			return true;
		});
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		takeAll((lock) -> {
			lock.lockInterruptibly();
			return true;
		});
	}

	@Override
	public boolean tryLock() {
		return takeAll(DistributedLock::tryLock);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		Deadline deadline = Deadline.in(unit.toNanos(time));
		return takeAll((lock) -> lock.tryLock(deadline.nanosLeft(), TimeUnit.NANOSECONDS));
	}

	@Override
	public void unlock() {
		deferredUnlock().run();
	}

	@Override
	public Runnable deferredUnlock() {
		requireInside();
		List<Runnable> unlocks = this.locks.stream().map(EngineLock::deferredUnlock).toList();
		return () -> {
			RuntimeException failure = giveBack(unlocks);
			if (failure != null) {
				throw failure;
			}
		};
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException(
				"The locks " + names() + " have no conditions: none waits across nodes");
	}

	@Override
	public String toString() {
		return "MultiLock" + names();
	}

	private void requireInside() {
		List<String> missing = this.locks.stream().filter((lock) -> !lock.isInside()).map(EngineLock::name).toList();
		if (!missing.isEmpty()) {
			throw new IllegalMonitorStateException(
					"The current thread does not hold the locks " + missing + " of " + names());
		}
	}

	private <X extends Exception> boolean takeAll(Take<X> take) throws X {
		int taken = 0;
		try {
			while (taken < this.locks.size() && take.from(this.locks.get(taken))) {
				taken++;
			}
		}
		catch (Throwable ex) {
			Throwable failure = giveBackFirst(taken);
			if (failure != null) {
				ex.addSuppressed(failure);
			}
			throw ex;
		}
		if (taken < this.locks.size()) {
			// Whether one was lost meanwhile is of no account: nothing ran under it.
			giveBackFirst(taken);
			return false;
		}
		if (!isValid()) {
			throw lost();
		}
		return true;
	}

	/**
	 * One ran out while the others were waited for. Its unlock says so, unless the thread
	 * holds it further outside, where nobody may have noticed yet.
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

	private @Nullable RuntimeException giveBackFirst(int taken) {
		return giveBack(this.locks.subList(0, taken).stream().<Runnable>map((lock) -> lock::unlock).toList());
	}

	/**
	 * Gives locks back in reverse, all of them whatever happens.
	 * @param unlocks gives back one each
	 * @return what went wrong first, or {@code null}
	 */
	private static @Nullable RuntimeException giveBack(List<Runnable> unlocks) {
		RuntimeException failure = null;
		for (int i = unlocks.size() - 1; i >= 0; i--) {
			try {
				unlocks.get(i).run();
			}
			catch (RuntimeException ex) {
				if (failure == null) {
					failure = ex;
				}
				else {
					failure.addSuppressed(ex);
				}
			}
		}
		return failure;
	}

	/**
	 * A way to take a lock.
	 *
	 * @param <X> what interrupts it
	 */
	private interface Take<X extends Exception> {

		boolean from(DistributedLock lock) throws X;

	}

}

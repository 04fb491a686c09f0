package io.idempotent.lock.engine;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.MultiLock;
import org.jspecify.annotations.Nullable;

/**
 * Takes locks one after another, and all of them back if one is not to be had.
 */
final class EngineMultiLock implements MultiLock {

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
		requireInside();
		RuntimeException failure = giveBack(this.locks.size());
		if (failure != null) {
			throw failure;
		}
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
			Throwable failure = giveBack(taken);
			if (failure != null) {
				ex.addSuppressed(failure);
			}
			throw ex;
		}
		if (taken < this.locks.size()) {
			// Whether one was lost meanwhile is of no account: nothing ran under it.
			giveBack(taken);
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

	/**
	 * Gives locks back in reverse, all of them whatever happens.
	 * @param taken how many were taken
	 * @return what went wrong first, or {@code null}
	 */
	private @Nullable RuntimeException giveBack(int taken) {
		RuntimeException failure = null;
		for (int i = taken - 1; i >= 0; i--) {
			try {
				this.locks.get(i).unlock();
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

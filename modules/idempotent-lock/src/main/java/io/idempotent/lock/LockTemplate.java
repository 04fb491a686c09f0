package io.idempotent.lock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.idempotent.function.ThrowingRunnable;
import io.idempotent.function.ThrowingSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs code under a lock: acquires it, runs the code, and releases it, whether the code
 * returns or throws. Immutable and safe for use by many threads.
 *
 * <p>
 * The {@link UnlockTiming} decides when the lock is released. With that of the
 * auto-configured template, a lock that was acquired within a transaction is released
 * when the transaction has completed, so that the next holder sees the committed changes.
 *
 * <p>
 * An exception of the code takes precedence: a loss that is detected when the lock is
 * released at once is thrown only if the code returned, and otherwise suppressed.
 */
public final class LockTemplate {

	private final DistributedLocks locks;

	private final UnlockTiming timing;

	private final LockOptions options;

	private final Duration wait;

	private final LockOptions.Settings settings;

	/**
	 * Creates a template.
	 * @param timing when a lock is released
	 * @param settings how long to wait for single locks, or
	 * {@link LockOptions.Settings#NONE}
	 */
	public LockTemplate(DistributedLocks locks, UnlockTiming timing, LockOptions options, Duration wait,
			LockOptions.Settings settings) {
		this.locks = locks;
		this.timing = timing;
		this.options = options;
		this.wait = wait;
		this.settings = settings;
	}

	/** This template with other options. */
	public LockTemplate withOptions(LockOptions options) {
		return new LockTemplate(this.locks, this.timing, options, this.wait, this.settings);
	}

	/** This template with another wait time; zero means one attempt. */
	public LockTemplate withWait(Duration wait) {
		return new LockTemplate(this.locks, this.timing, this.options, wait, this.settings);
	}

	/**
	 * Runs code under a lock.
	 * @throws X what the code throws
	 * @throws LockNotObtainedException if the lock is not free in time; the code was not
	 * run
	 * @throws LockUnavailableException if the engine cannot be asked; the code was not
	 * run
	 * @throws LockLostException if the code returned, but the lock was lost meanwhile
	 */
	public <T extends @Nullable Object, X extends Throwable> T execute(String name, ThrowingSupplier<T, X> action)
			throws X {
		return execute(List.of(name), this.locks.get(name, this.options), action);
	}

	/**
	 * Runs code without a result under a lock.
	 * @throws X what the code throws
	 * @throws LockNotObtainedException as for code with a result
	 * @throws LockUnavailableException as for code with a result
	 * @throws LockLostException as for code with a result
	 */
	public <X extends Throwable> void executeWithoutResult(String name, ThrowingRunnable<X> task) throws X {
		execute(name, () -> {
			task.run();
			return Boolean.TRUE;
		});
	}

	/**
	 * Runs code under several locks, all or nothing.
	 * @throws X what the code throws
	 * @throws LockNotObtainedException as for one lock
	 * @throws LockUnavailableException as for one lock
	 * @throws LockLostException as for one lock
	 */
	public <T extends @Nullable Object, X extends Throwable> T execute(Collection<String> names,
			ThrowingSupplier<T, X> action) throws X {
		if (names.size() == 1) {
			return execute(names.iterator().next(), action);
		}
		MultiLock lock = this.locks.all(names, this.options);
		return execute(lock.names(), lock, action);
	}

	private <T extends @Nullable Object, X extends Throwable> T execute(List<String> names, Lock lock,
			ThrowingSupplier<T, X> action) throws X {
		obtain(names, lock, waitTime(names));
		T result;
		try {
			result = action.get();
		}
		catch (Throwable ex) {
			unlockAfter(ex, lock);
			throw ex;
		}
		this.timing.unlock(lock);
		return result;
	}

	/** An interrupted thread is still interrupted when this throws. */
	static void obtain(List<String> names, Lock lock, Duration wait) {
		try {
			if (!tryLock(lock, wait)) {
				throw new LockNotObtainedException(names, wait, null);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockNotObtainedException(names, wait, ex);
		}
	}

	/** An interrupt ends the wait for a lock, but a free lock is still acquired. */
	private static boolean tryLock(Lock lock, Duration wait) throws InterruptedException {
		if (wait.isNegative() || wait.isZero()) {
			return lock.tryLock();
		}
		if (!Thread.currentThread().isInterrupted()) {
			try {
				return lock.tryLock(TimeUnit.NANOSECONDS.convert(wait), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				return acquireFree(lock, ex);
			}
		}
		if (lock.tryLock()) {
			return true;
		}
		Thread.interrupted();
		throw new InterruptedException();
	}

	private static boolean acquireFree(Lock lock, InterruptedException interrupt) throws InterruptedException {
		try {
			if (lock.tryLock()) {
				Thread.currentThread().interrupt();
				return true;
			}
		}
		catch (LockUnavailableException ex) {
			interrupt.addSuppressed(ex);
		}
		throw interrupt;
	}

	/**
	 * How long to wait for these locks, which are waited for together: the longest time
	 * that is set for one of them, or else that of the template.
	 */
	public Duration waitTime(Collection<String> names) {
		return names.stream()
			.map((name) -> this.settings.waitTime(name, this.wait))
			.max(Duration::compareTo)
			.orElse(this.wait);
	}

	private void unlockAfter(Throwable failure, Lock lock) {
		try {
			this.timing.unlock(lock);
		}
		catch (RuntimeException | Error ex) {
			if (failure != ex) {
				failure.addSuppressed(ex);
			}
		}
	}

	/** When a lock is released after the code under it has ended. */
	@FunctionalInterface
	public interface UnlockTiming {

		/** At once. */
		UnlockTiming IMMEDIATE = Lock::unlock;

		/**
		 * Releases the lock, now or later. {@link Lock#unlock()} releases the lock of the
		 * current thread; for a later release on another thread use a
		 * {@link DeferrableLock}.
		 * @throws LockLostException if it is released now and was lost
		 */
		void unlock(Lock lock);

	}

}

package io.idempotent.lock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.Lock;

import io.idempotent.function.ThrowingRunnable;
import io.idempotent.function.ThrowingSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs code under a lock: acquires it, runs the code, and always releases it. Immutable
 * and safe for use by many threads.
 *
 * <p>
 * An exception of the code takes precedence: a loss that is detected when the lock is
 * released is thrown only if the code returned. Within an open transaction the lock is
 * released when the transaction has completed, so that the next holder sees the committed
 * changes.
 */
public final class LockTemplate {

	private final DistributedLocks locks;

	private final UnlockTiming timing;

	private final LockOptions options;

	private final Duration wait;

	private final LockSettings settings;

	/**
	 * Creates a template without settings of single locks.
	 * @param locks creates the locks
	 * @param timing when a lock is released
	 * @param options how locks are held
	 * @param wait how long to wait for a lock
	 */
	public LockTemplate(DistributedLocks locks, UnlockTiming timing, LockOptions options, Duration wait) {
		this(locks, timing, options, wait, LockSettings.NONE);
	}

	/**
	 * Creates a template.
	 * @param locks creates the locks
	 * @param timing when a lock is released
	 * @param options how locks are held
	 * @param wait how long to wait for a lock
	 * @param settings how long to wait for single locks
	 */
	public LockTemplate(DistributedLocks locks, UnlockTiming timing, LockOptions options, Duration wait,
			LockSettings settings) {
		this.locks = locks;
		this.timing = timing;
		this.options = options;
		this.wait = wait;
		this.settings = settings;
	}

	/**
	 * This template with other options.
	 * @param options how locks are held
	 */
	public LockTemplate withOptions(LockOptions options) {
		return new LockTemplate(this.locks, this.timing, options, this.wait, this.settings);
	}

	/**
	 * This template with another wait time.
	 * @param wait how long to wait; zero means one attempt
	 */
	public LockTemplate withWait(Duration wait) {
		return new LockTemplate(this.locks, this.timing, this.options, wait, this.settings);
	}

	/**
	 * Runs code under a lock.
	 * @param <T> the type of its result
	 * @param <X> the type of exception it throws
	 * @param name the name of the lock
	 * @param action the code
	 * @throws X what it throws
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
	 * @param <X> the type of exception it throws
	 * @param name the name of the lock
	 * @param task the code
	 * @throws X what it throws
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
	 * @param <T> the type of its result
	 * @param <X> the type of exception it throws
	 * @param names the names of the locks
	 * @param action the code
	 * @throws X what it throws
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
		LockWait.obtain(names, lock, waitFor(names));
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

	/**
	 * Several locks are waited for together, so the longest time that is set applies.
	 */
	private Duration waitFor(List<String> names) {
		return names.stream()
			.map((name) -> this.settings.waitTime(name, this.wait))
			.max(Duration::compareTo)
			.orElse(this.wait);
	}

	private void unlockAfter(Throwable failure, Lock lock) {
		try {
			this.timing.unlock(lock);
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

}

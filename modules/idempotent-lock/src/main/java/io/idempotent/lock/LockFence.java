package io.idempotent.lock;

import java.util.Collection;

import io.idempotent.function.ThrowingSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a resource refuse a holder that has lost its locks without noticing.
 */
public interface LockFence {

	/**
	 * Runs code under locks that the current thread holds, with their fences raised.
	 * @throws X what the code throws
	 * @throws LockLostException if another holder has raised a fence to a higher token
	 */
	<T extends @Nullable Object, X extends Throwable> T execute(Collection<DistributedLock> locks,
			ThrowingSupplier<T, X> action) throws X;

}

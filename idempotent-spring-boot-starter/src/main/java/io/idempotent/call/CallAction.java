package io.idempotent.call;

import io.idempotent.IdempotencyContext;
import org.jspecify.annotations.Nullable;

/**
 * What a call runs.
 *
 * @param <X> the type of exception it throws
 */
@FunctionalInterface
interface CallAction<X extends Throwable> {

	/**
	 * Runs.
	 * @param context the context of the operation
	 * @return the result
	 * @throws X whatever it throws
	 */
	@Nullable Object run(IdempotencyContext context) throws X;

}

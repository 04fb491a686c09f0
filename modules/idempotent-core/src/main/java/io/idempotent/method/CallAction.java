package io.idempotent.method;

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
	 * @param body the invocation, which is to be told when the operation's own code
	 * begins
	 * @return the result
	 * @throws X whatever it throws
	 */
	@Nullable Object run(CallBody body) throws X;

}

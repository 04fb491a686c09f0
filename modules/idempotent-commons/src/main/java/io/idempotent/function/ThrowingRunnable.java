package io.idempotent.function;

/**
 * Code without a result that may throw: the form of {@link ThrowingSupplier} for lambdas
 * that return nothing.
 *
 * @param <X> the type of exception the code throws
 */
@FunctionalInterface
public interface ThrowingRunnable<X extends Throwable> {

	/**
	 * Runs the code.
	 * @throws X if the code throws
	 */
	void run() throws X;

}

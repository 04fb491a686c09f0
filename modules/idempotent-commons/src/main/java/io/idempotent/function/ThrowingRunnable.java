package io.idempotent.function;

/**
 * Code without a result that may throw: the form of {@link ThrowingSupplier} for lambdas
 * that return nothing.
 */
@FunctionalInterface
public interface ThrowingRunnable<X extends Throwable> {

	void run() throws X;

}

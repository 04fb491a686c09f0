package io.idempotent.function;

/**
 * Code with an argument and without a result that may throw: {@link ThrowingFunction} for
 * lambdas that return nothing.
 */
@FunctionalInterface
public interface ThrowingConsumer<A, X extends Throwable> {

	void accept(A argument) throws X;

}

package io.idempotent.function;

/**
 * Code with an argument and without a result that may throw: the form of
 * {@link ThrowingFunction} for lambdas that return nothing.
 *
 * @param <A> the type of the argument
 * @param <X> the type of exception the code throws
 */
@FunctionalInterface
public interface ThrowingConsumer<A, X extends Throwable> {

	/**
	 * Runs the code.
	 * @param argument the argument
	 * @throws X if the code throws
	 */
	void accept(A argument) throws X;

}

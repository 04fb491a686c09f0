package io.idempotent.function;

import org.jspecify.annotations.Nullable;

/**
 * Code with an argument and a result that may throw. The caller of a method that takes it
 * catches or declares exactly the exceptions that the code throws.
 *
 * @param <A> the type of the argument
 * @param <T> the type of the result
 * @param <X> the type of exception the code throws
 */
@FunctionalInterface
public interface ThrowingFunction<A, T extends @Nullable Object, X extends Throwable> {

	/**
	 * Runs the code.
	 * @param argument the argument
	 * @throws X if the code throws
	 */
	T apply(A argument) throws X;

}

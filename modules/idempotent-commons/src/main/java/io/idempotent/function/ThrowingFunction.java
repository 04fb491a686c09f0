package io.idempotent.function;

import org.jspecify.annotations.Nullable;

/**
 * Code with an argument and a result that may throw. The caller of a method that takes it
 * catches or declares exactly the exceptions that the code throws.
 */
@FunctionalInterface
public interface ThrowingFunction<A, T extends @Nullable Object, X extends Throwable> {

	T apply(A argument) throws X;

}

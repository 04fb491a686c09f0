package io.idempotent.function;

import org.jspecify.annotations.Nullable;

/**
 * Code with a result that may throw. The caller of a method that takes it catches or
 * declares exactly the exceptions that the code throws.
 */
@FunctionalInterface
public interface ThrowingSupplier<T extends @Nullable Object, X extends Throwable> {

	T get() throws X;

}

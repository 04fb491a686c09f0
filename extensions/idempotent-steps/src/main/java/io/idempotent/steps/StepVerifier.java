package io.idempotent.steps;

import org.jspecify.annotations.Nullable;

/**
 * Finds out whether an interrupted call of another system took effect.
 *
 * @param <T> the type of the step's result
 */
@FunctionalInterface
public interface StepVerifier<T extends @Nullable Object> {

	/**
	 * Asks the other system. If this throws, the operation fails with the exception, and
	 * the next attempt asks again.
	 * @param key the key that the call got
	 */
	Verdict<T> verify(String key);

	/** For a call that must not be repeated, and whose effect nobody can look up. */
	static <T extends @Nullable Object> StepVerifier<T> none() {
		return (key) -> new Verdict.CannotTell<>();
	}

	/** What the other system answered. */
	sealed interface Verdict<T extends @Nullable Object> {

		/** It took effect, with this result: the step is done. */
		record Happened<T extends @Nullable Object>(T result) implements Verdict<T> {
		}

		/**
		 * It did not, and can no longer do so: the step runs. That the call is not found
		 * is not enough, since it may be on its way, or its process stands still.
		 */
		record DidNotHappen<T extends @Nullable Object>() implements Verdict<T> {
		}

		/** The operation is refused as {@code outcome-unknown}. */
		record CannotTell<T extends @Nullable Object>() implements Verdict<T> {
		}

	}

}

package io.idempotent.steps.internal;

import io.idempotent.function.ThrowingSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Surrounds the code of each step that runs; not that of a step whose result is stored.
 * Is told what operators should know. An interface, because Micrometer is optional.
 */
public interface StepObserver {

	StepObserver NONE = new StepObserver() {
	};

	default <T extends @Nullable Object, X extends Throwable> T observe(String operation, String step, String kind,
			ThrowingSupplier<T, X> code) throws X {
		return code.get();
	}

	/**
	 * A repeat runs other code than an earlier attempt.
	 * @param step {@code new}, or {@code missing} although it is done
	 */
	default void changed(String operation, String step) {
	}

	/**
	 * An operation that nobody has repeated was called again.
	 * @param outcome {@code completed}, {@code failed} or {@code abandoned}
	 */
	default void resumed(String operation, String outcome) {
	}

}

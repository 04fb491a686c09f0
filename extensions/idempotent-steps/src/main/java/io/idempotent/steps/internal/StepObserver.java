package io.idempotent.steps.internal;

import io.idempotent.function.ThrowingSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Surrounds the code of each step that runs; not that of a step whose result is stored.
 * An interface, because Micrometer is optional.
 */
public interface StepObserver {

	StepObserver NONE = new StepObserver() {

		@Override
		public <T extends @Nullable Object, X extends Throwable> T observe(String operation, String step, String kind,
				ThrowingSupplier<T, X> code) throws X {
			return code.get();
		}

	};

	<T extends @Nullable Object, X extends Throwable> T observe(String operation, String step, String kind,
			ThrowingSupplier<T, X> code) throws X;

}

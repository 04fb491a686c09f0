package io.idempotent.steps;

import io.idempotent.IdempotencyContext;

/**
 * Finds the steps of an operation, for code that is no handler method: that of an
 * {@link io.idempotent.Idempotent} method or an
 * {@link io.idempotent.IdempotencyTemplate}.
 */
public interface OperationStepsFactory {

	/**
	 * The steps of the operation that runs on this thread, as an annotated method or a
	 * callback of the template.
	 * @throws IllegalStateException if none does
	 */
	OperationSteps current();

	/**
	 * The steps of a running operation.
	 * @param context as this library has passed it to the operation
	 * @throws IllegalArgumentException if it is another implementation
	 */
	OperationSteps of(IdempotencyContext context);

}

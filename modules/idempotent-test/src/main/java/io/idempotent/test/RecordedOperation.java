package io.idempotent.test;

import io.idempotent.store.OperationKey;

/**
 * What a {@link TestIdempotencyStore} knows of one operation.
 *
 * @param operation the name of the operation, such as {@code OrderController.place};
 * empty if the store was not auto-configured
 * @param attempt the number of the last attempt, from 1
 */
public record RecordedOperation(String operation, OperationKey key, State state, int attempt) {

	/** The state of an operation. */
	public enum State {

		/** It runs. */
		IN_PROGRESS,

		/** It has ended, and it is unknown whether it took effect. */
		UNKNOWN,

		/** It took effect. Its answer may be stored. */
		COMPLETED

	}

}

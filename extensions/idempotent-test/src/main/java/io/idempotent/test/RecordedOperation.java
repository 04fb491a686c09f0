package io.idempotent.test;

import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordState;

/**
 * What a {@link TestIdempotencyStore} knows of one operation.
 *
 * @param operation the name of the operation, such as {@code OrderController.place};
 * empty if the store was not auto-configured
 * @param state in progress, unknown or completed
 * @param attempt the number of the last attempt, from 1
 */
public record RecordedOperation(String operation, OperationKey key, RecordState state, int attempt) {
}

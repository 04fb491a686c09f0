package io.idempotent.engine;

import org.jspecify.annotations.Nullable;

/**
 * The result of an operation that took effect earlier.
 *
 * @param value what its method would have returned
 */
public record RecoveredResult(@Nullable Object value) {
}

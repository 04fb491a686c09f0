package io.idempotent.method;

import org.jspecify.annotations.Nullable;

/**
 * The result of an operation that took effect earlier.
 *
 * @param value what its method would have returned
 */
public record Rebuilt(@Nullable Object value) {
}

package io.idempotent.submission;

import org.jspecify.annotations.Nullable;

/**
 * The result of an operation that took effect earlier.
 */
public record RecoveredResult(@Nullable Object value) {
}

package io.idempotent.method;

import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

/**
 * A bean method that takes effect once.
 *
 * @param operation its operation
 * @param key the expression of its key
 * @param recoverer rebuilds a result that was not stored, or {@code null}
 */
record IdempotentMethod(CallOperation operation, KeyExpression key, @Nullable ResultRecovery recoverer) {
}

package io.idempotent.method;

import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

/**
 * A bean method that takes effect once.
 *
 * @param operation its operation
 * @param key what tells its calls apart
 * @param recoverer rebuilds a result that was not kept, or {@code null}
 */
record IdempotentMethod(CallOperation operation, KeyExpression key, @Nullable ResultRecovery recoverer) {
}

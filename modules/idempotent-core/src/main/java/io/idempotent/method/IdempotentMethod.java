package io.idempotent.method;

import io.idempotent.engine.DeclaredPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A bean method that takes effect once.
 *
 * @param operation its operation
 * @param declared the policy that its annotation declares
 * @param key where its key comes from
 * @param recoverer rebuilds a result that was not stored, or {@code null}
 */
record IdempotentMethod(CallOperation operation, DeclaredPolicy declared, MethodKey key,
		@Nullable ResultRecovery recoverer) {
}

package io.idempotent.method;

import io.idempotent.engine.policy.DeclaredPolicy;
import io.idempotent.method.internal.call.CallOperation;
import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

/**
 * A method that takes effect once.
 *
 * @param operation its operation
 * @param declared the policy that its annotation declares
 * @param key where its key comes from
 * @param condition whether the annotation applies to a call, or {@code null} for always
 * @param recoverer rebuilds a result that was not stored, or {@code null}
 */
record IdempotentMethod(CallOperation operation, DeclaredPolicy declared, MethodKey key,
		@Nullable KeyExpression condition, @Nullable ResultRecovery recoverer) {

	boolean appliesTo(@Nullable Object[] arguments) {
		return this.condition == null || this.condition.decide("operation '" + this.operation.name() + "'", arguments);
	}

}

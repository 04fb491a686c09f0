package io.idempotent.method;

import io.idempotent.method.internal.call.CallOperation;
import io.idempotent.submission.policy.DeclaredPolicy;
import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

/**
 * A method that takes effect once. Without a condition, its annotation always applies;
 * without a comparison, calls with the same key are the same; the recoverer rebuilds a
 * result that was not stored.
 */
record IdempotentMethod(CallOperation operation, DeclaredPolicy declared, MethodKey key,
		@Nullable KeyExpression comparison, @Nullable KeyExpression condition, @Nullable ResultRecovery recoverer) {

	boolean appliesTo(@Nullable Object[] arguments) {
		return this.condition == null || this.condition.decide("operation '" + this.operation.name() + "'", arguments);
	}

}

package io.idempotent.lock.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Supplier;

import io.idempotent.lock.LockNotObtainedHandler;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.WhenNotObtained;
import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

/**
 * A {@link io.idempotent.lock.DistributedLocked} annotation, with all texts parsed. A
 * condition or handler that is not set is {@code null}.
 */
record LockedMethod(Method method, LockNameResolver name, @Nullable KeyExpression condition, LockOptions options,
		Duration waitTime, boolean fenced, WhenNotObtained onNotObtained,
		@Nullable Supplier<? extends LockNotObtainedHandler> handler) {

	boolean appliesTo(@Nullable Object[] arguments) {
		return this.condition == null || this.condition.decide("lock '" + this.name.name() + "'", arguments);
	}

	boolean skips() {
		return this.handler == null && this.onNotObtained == WhenNotObtained.SKIP;
	}

}

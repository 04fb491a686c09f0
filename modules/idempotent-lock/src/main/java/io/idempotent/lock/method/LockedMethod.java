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
 * A {@link io.idempotent.lock.DistributedLocked} annotation of a method, with all texts
 * parsed.
 *
 * @param method the method
 * @param nameResolver resolves the names of the locks
 * @param condition whether the annotation applies to a call, or {@code null} for always
 * @param options how the locks are held
 * @param waitTime how long to wait for them
 * @param fenced whether transactions of the method raise the fences of the locks
 * @param onNotObtained what happens if they are not obtained
 * @param handler the handler for that case, or {@code null}
 */
record LockedMethod(Method method, LockNameResolver nameResolver, @Nullable KeyExpression condition,
		LockOptions options, Duration waitTime, boolean fenced, WhenNotObtained onNotObtained,
		@Nullable Supplier<? extends LockNotObtainedHandler> handler) {

	/**
	 * Whether the annotation applies to a call.
	 * @param arguments its arguments
	 * @return {@code false} if the method runs without the lock
	 * @throws IllegalArgumentException if the condition is neither true nor false
	 */
	boolean appliesTo(@Nullable Object[] arguments) {
		return this.condition == null
				|| this.condition.decide("lock '" + this.nameResolver.name().text() + "'", arguments);
	}

}

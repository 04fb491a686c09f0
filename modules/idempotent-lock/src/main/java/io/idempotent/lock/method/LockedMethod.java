package io.idempotent.lock.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Supplier;

import io.idempotent.lock.LockNotObtainedHandler;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.WhenNotObtained;
import org.jspecify.annotations.Nullable;

/**
 * A {@link io.idempotent.lock.DistributedLocked} annotation of a method, with all texts
 * parsed.
 *
 * @param method the method
 * @param nameResolver resolves the names of the locks
 * @param options how the locks are held
 * @param waitTime how long to wait for them
 * @param fenced whether transactions of the method raise the fences of the locks
 * @param onNotObtained what happens if they are not obtained
 * @param handler the handler for that case, or {@code null}
 */
record LockedMethod(Method method, LockNameResolver nameResolver, LockOptions options, Duration waitTime,
		boolean fenced, WhenNotObtained onNotObtained, @Nullable Supplier<? extends LockNotObtainedHandler> handler) {

}

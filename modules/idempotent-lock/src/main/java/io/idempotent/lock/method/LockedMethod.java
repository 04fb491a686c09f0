package io.idempotent.lock.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Supplier;

import io.idempotent.lock.LockNotObtainedHandler;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.WhenNotObtained;
import org.jspecify.annotations.Nullable;

/**
 * What one annotation makes of one method, once every text in it has been read.
 *
 * @param method the method
 * @param naming what is locked
 * @param options how it is held
 * @param waitTime how long to wait for it
 * @param fenced whether its transactions raise the fence of the lock
 * @param onNotObtained what happens when it is not obtained
 * @param handler who answers then, or {@code null}
 */
record LockedMethod(Method method, LockNameResolver naming, LockOptions options, Duration waitTime, boolean fenced,
		WhenNotObtained onNotObtained, @Nullable Supplier<? extends LockNotObtainedHandler> handler) {

}

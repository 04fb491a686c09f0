package io.idempotent.lock;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * Is called instead of a method whose lock was not obtained in time.
 */
@FunctionalInterface
public interface LockNotObtainedHandler {

	/**
	 * Returns the result of the call, of the return type of the method.
	 * @param method the method that was not run
	 * @param reason the names of the locks and the time that was waited
	 * @throws Throwable what the call throws instead
	 */
	@Nullable Object answer(Method method, @Nullable Object[] arguments, LockNotObtainedException reason) throws Throwable;

}

package io.idempotent.lock;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * Is called instead of a method whose lock was not obtained in time.
 */
@FunctionalInterface
public interface LockNotObtainedHandler {

	/**
	 * Returns the result of the call.
	 * @param method the method that was not run
	 * @param arguments its arguments
	 * @param reason the names of the locks and the time that was waited
	 * @return the result, of the return type of the method
	 * @throws Throwable what the call throws instead
	 */
	@Nullable Object answer(Method method, @Nullable Object[] arguments, LockNotObtainedException reason) throws Throwable;

}

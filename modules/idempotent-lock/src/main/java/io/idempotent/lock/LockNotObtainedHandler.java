package io.idempotent.lock;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * Answers in place of a method whose lock was not obtained in time.
 */
@FunctionalInterface
public interface LockNotObtainedHandler {

	/**
	 * Answers.
	 * @param method the method that was not run
	 * @param arguments its arguments
	 * @param reason which locks were asked for, and how long
	 * @return what the call returns; of the method's return type
	 * @throws Throwable what the call throws instead
	 */
	@Nullable Object answer(Method method, @Nullable Object[] arguments, LockNotObtainedException reason) throws Throwable;

}

package io.idempotent.lock.method;

import java.lang.reflect.Method;

import io.idempotent.support.AsyncReturnTypes;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;

/**
 * Checks the return type of a locked method.
 */
final class LockedReturnTypes {

	private LockedReturnTypes() {
	}

	/**
	 * Checks a method.
	 * @param method the method
	 * @param skips whether a call may be skipped
	 * @throws IllegalArgumentException if the lock would be released too early, or if a
	 * skipped call could not return {@code null}
	 */
	static void check(Method method, boolean skips) {
		if (AsyncReturnTypes.isSuspending(method)) {
			throw new IllegalArgumentException("it is a suspend function, which goes on on other threads after it has "
					+ "returned, so that the lock would be released before the work is done: lock a function that is "
					+ "not suspending and does the work, for example within runBlocking");
		}
		Class<?> type = method.getReturnType();
		if (AsyncReturnTypes.isAsync(type) && !isAsync(method)) {
			throw new IllegalArgumentException("it returns a " + type.getName()
					+ ", so that the lock would be released before the work is done: take the lock where the work is");
		}
		if (skips && type.isPrimitive() && type != void.class) {
			throw new IllegalArgumentException("it returns " + type.getName()
					+ ", which cannot represent a skipped call: return an object, or use a handler");
		}
	}

	// Spring's asynchronous interceptor is outside of the lock: the method itself runs to
	// its end.
	private static boolean isAsync(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class);
	}

}

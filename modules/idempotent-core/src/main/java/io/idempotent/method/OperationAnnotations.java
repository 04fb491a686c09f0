package io.idempotent.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.support.MethodAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;

/**
 * The annotations that make methods operations, on the method or on its class.
 */
public final class OperationAnnotations {

	private OperationAnnotations() {
	}

	/**
	 * Finds the annotation of a handler method.
	 * @param method the method
	 * @param type the class of the controller
	 * @return the annotation, or {@code null}
	 */
	public static @Nullable ApiIdempotent ofHandler(Method method, Class<?> type) {
		return MethodAnnotations.find(method, type, ApiIdempotent.class);
	}

	/**
	 * Finds the annotation of a bean method. That of a class applies to public methods.
	 * @param method the method
	 * @param type the class of the bean
	 * @return the annotation, or {@code null}
	 */
	public static @Nullable Idempotent ofBeanMethod(Method method, Class<?> type) {
		Idempotent annotation = MethodAnnotations.find(method, type, Idempotent.class);
		return (annotation == null || isPublic(method, type)
				|| !MethodAnnotations.isOfClass(method, type, Idempotent.class)) ? annotation : null;
	}

	/**
	 * Whether a method may handle requests as an operation.
	 * @param method the method
	 * @param type the class of its bean
	 * @return whether it has an {@link ApiIdempotent}
	 */
	public static boolean isHandler(Method method, Class<?> type) {
		return ofHandler(method, type) != null;
	}

	/**
	 * Whether a bean method is an operation.
	 * @param method the method
	 * @param type the class of its bean
	 * @return whether it has an {@link Idempotent}
	 */
	public static boolean isBeanMethod(Method method, Class<?> type) {
		return ofBeanMethod(method, type) != null;
	}

	private static boolean isPublic(Method method, Class<?> type) {
		return Modifier.isPublic(AopUtils.getMostSpecificMethod(method, type).getModifiers());
	}

}

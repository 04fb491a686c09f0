package io.idempotent.support;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/**
 * Whether a class may have methods with an annotation of this library. Each class is read
 * once, which costs much less than a search for each annotation on each of its methods.
 */
public final class AnnotatedClasses {

	private static final String LIBRARY = "io.idempotent.";

	private static final ClassValue<Boolean> ANNOTATIONS = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			boolean found = type.getName().startsWith(LIBRARY);
			for (MergedAnnotation<?> annotation : MergedAnnotations.from(type)) {
				found |= annotation.getType().getName().startsWith(LIBRARY);
			}
			return found;
		}

	};

	private static final ClassValue<Boolean> CLASSES = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			return !type.getName().startsWith("java.") && (isAnnotated(type) || mayDeclare(type)
					|| (type.getSuperclass() != null && get(type.getSuperclass())) || isAny(type.getInterfaces()));
		}

		private boolean isAny(Class<?>[] types) {
			for (Class<?> type : types) {
				if (get(type)) {
					return true;
				}
			}
			return false;
		}

	};

	private AnnotatedClasses() {
	}

	/**
	 * Whether the class, a type that it extends or implements, or one of their methods
	 * has an annotation of this library or one composed of it.
	 */
	public static boolean contain(Class<?> type) {
		return CLASSES.get(type);
	}

	private static boolean mayDeclare(Class<?> type) {
		try {
			for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
				if (isAnnotated(method)) {
					return true;
				}
			}
			return false;
		}
		catch (IllegalStateException ex) {
			// A type in a signature is missing: reading the methods will fail.
			return true;
		}
	}

	private static boolean isAnnotated(AnnotatedElement element) {
		for (Annotation annotation : element.getDeclaredAnnotations()) {
			if (ANNOTATIONS.get(annotation.annotationType())) {
				return true;
			}
		}
		return false;
	}

}

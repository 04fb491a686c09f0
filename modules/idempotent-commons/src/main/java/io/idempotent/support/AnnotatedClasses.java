package io.idempotent.support;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.stream.Stream;

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
			return Stream
				.concat(Stream.of(type),
						MergedAnnotations.from(type).stream().map((annotation) -> annotation.getType()))
				.anyMatch((annotation) -> annotation.getName().startsWith(LIBRARY));
		}

	};

	private static final ClassValue<Boolean> CLASSES = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			return !type.getName().startsWith("java.") && (isAnnotated(type) || mayDeclare(type)
					|| (type.getSuperclass() != null && get(type.getSuperclass()))
					|| Stream.of(type.getInterfaces()).anyMatch(this::get));
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
			return Stream.of(ReflectionUtils.getDeclaredMethods(type)).anyMatch(AnnotatedClasses::isAnnotated);
		}
		catch (IllegalStateException ex) {
			// A type in a signature is missing: whoever reads the methods will tell.
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

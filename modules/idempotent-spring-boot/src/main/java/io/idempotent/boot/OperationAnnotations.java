package io.idempotent.boot;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * The annotations that give a method an advice of this library, as far as they are on the
 * class path: the module of idempotency or of locks may be missing.
 */
final class OperationAnnotations {

	private static final List<Class<? extends Annotation>> PRESENT = present("io.idempotent.ApiIdempotent",
			"io.idempotent.Idempotent", "io.idempotent.lock.DistributedLocked",
			"io.idempotent.lock.DistributedLocked$Several");

	private OperationAnnotations() {
	}

	/**
	 * The annotations of a method.
	 * @param method the method
	 * @return those that it or its class has, inherits or has as meta-annotations
	 */
	static List<Class<? extends Annotation>> of(Method method) {
		return PRESENT.stream()
			.filter((annotation) -> AnnotatedElementUtils.hasAnnotation(method, annotation)
					|| AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), annotation))
			.toList();
	}

	private static List<Class<? extends Annotation>> present(String... names) {
		ClassLoader loader = OperationAnnotations.class.getClassLoader();
		return Stream.of(names)
			.filter((name) -> ClassUtils.isPresent(name, loader))
			.<Class<? extends Annotation>>map(
					(name) -> ClassUtils.resolveClassName(name, loader).asSubclass(Annotation.class))
			.toList();
	}

}

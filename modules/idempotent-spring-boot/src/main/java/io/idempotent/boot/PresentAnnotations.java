package io.idempotent.boot;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.idempotent.support.MethodAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * The annotations that give a method an advice of this library, as far as they are on the
 * class path: the module of idempotency or of locks may be missing.
 */
final class PresentAnnotations {

	private static final List<Class<? extends Annotation>> PRESENT = present("io.idempotent.ApiIdempotent",
			"io.idempotent.Idempotent", "io.idempotent.lock.DistributedLocked",
			"io.idempotent.lock.DistributedLocked$Several");

	private PresentAnnotations() {
	}

	/**
	 * The annotations of a method.
	 * @param method the method
	 * @param type the class of its bean
	 * @return those that it or its class has, inherits or has as meta-annotations
	 */
	static List<Annotation> of(Method method, Class<?> type) {
		return PRESENT.stream()
			.<@Nullable Annotation>map((annotation) -> MethodAnnotations.find(method, type, annotation))
			.filter(Objects::nonNull)
			.map(Objects::requireNonNull)
			.toList();
	}

	/**
	 * Whether a method has such an annotation.
	 * @param method the method
	 * @param type the class of its bean
	 */
	static boolean areOn(Method method, Class<?> type) {
		return !of(method, type).isEmpty();
	}

	private static List<Class<? extends Annotation>> present(String... names) {
		ClassLoader loader = PresentAnnotations.class.getClassLoader();
		return Stream.of(names)
			.filter((name) -> ClassUtils.isPresent(name, loader))
			.<Class<? extends Annotation>>map(
					(name) -> ClassUtils.resolveClassName(name, loader).asSubclass(Annotation.class))
			.toList();
	}

}

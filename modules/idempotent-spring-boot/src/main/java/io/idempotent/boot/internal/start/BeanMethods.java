package io.idempotent.boot.internal.start;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.idempotent.lock.DistributedLocked;
import io.idempotent.support.AnnotatedClasses;
import io.idempotent.support.MethodAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Finds methods of beans, on the classes that their authors wrote, and the annotations of
 * this library on them.
 */
public final class BeanMethods {

	/** Those on the class path: the module of idempotency or of locks may be missing. */
	private static final List<Class<? extends Annotation>> PRESENT = present("io.idempotent.ApiIdempotent",
			"io.idempotent.Idempotent", "io.idempotent.lock.DistributedLocked",
			"io.idempotent.lock.DistributedLocked$Several");

	private BeanMethods() {
	}

	/**
	 * Visits methods, each with the class of its bean, without creating a bean. Those of
	 * clients are left out, which share an annotated interface with their server.
	 */
	public static void forEach(ConfigurableListableBeanFactory beans, BiPredicate<Method, Class<?>> filter,
			BiConsumer<Method, Class<?>> action) {
		for (Class<?> type : beans(beans).values()) {
			MethodFilter all = (method) -> filter.test(method, type) && !MethodAnnotations.isOfClient(method, type);
			for (Method method : MethodIntrospector.selectMethods(type, all)) {
				action.accept(method, type);
			}
		}
	}

	/** The beans with annotated classes, in the order of their definition. */
	public static Map<String, Class<?>> beans(ConfigurableListableBeanFactory beans) {
		Map<String, Class<?>> annotated = new LinkedHashMap<>();
		for (String name : beans.getBeanDefinitionNames()) {
			Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
			if (type != null && AnnotatedClasses.contain(type)) {
				annotated.put(name, ClassUtils.getUserClass(type));
			}
		}
		return annotated;
	}

	/** Includes annotations of the class, inherited ones and meta-annotations. */
	static List<Annotation> annotations(Method method, Class<?> type) {
		return PRESENT.stream()
			.<@Nullable Annotation>map((annotation) -> MethodAnnotations.find(method, type, annotation))
			.filter(Objects::nonNull)
			.map(Objects::requireNonNull)
			.toList();
	}

	/** Whether a lock of a bean's method is fenced. For applications with locks only. */
	public static boolean areFenced(ConfigurableListableBeanFactory beans) {
		return any(beans, BeanMethods::isFenced);
	}

	/** Whether a bean's method has a lock. For applications with locks only. */
	public static boolean areLocked(ConfigurableListableBeanFactory beans) {
		return any(beans, BeanMethods::isLocked);
	}

	private static boolean any(ConfigurableListableBeanFactory beans, Predicate<Method> condition) {
		AtomicBoolean found = new AtomicBoolean();
		forEach(beans, (method, type) -> condition.test(method), (method, type) -> found.set(true));
		return found.get();
	}

	public static boolean isLocked(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, DistributedLocked.class)
				|| AnnotatedElementUtils.hasAnnotation(method, DistributedLocked.Several.class);
	}

	private static boolean isFenced(Method method) {
		return AnnotatedElementUtils
			.findMergedRepeatableAnnotations(method, DistributedLocked.class, DistributedLocked.Several.class)
			.stream()
			.anyMatch(DistributedLocked::fenced);
	}

	private static List<Class<? extends Annotation>> present(String... names) {
		ClassLoader loader = BeanMethods.class.getClassLoader();
		return Stream.of(names)
			.filter((name) -> ClassUtils.isPresent(name, loader))
			.<Class<? extends Annotation>>map(
					(name) -> ClassUtils.resolveClassName(name, loader).asSubclass(Annotation.class))
			.toList();
	}

}

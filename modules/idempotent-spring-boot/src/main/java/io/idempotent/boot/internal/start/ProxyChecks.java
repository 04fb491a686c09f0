package io.idempotent.boot.internal.start;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

import io.idempotent.support.MethodAnnotations;
import io.idempotent.support.StartUpException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.stereotype.Controller;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Checks the methods beside an annotated one, whose calls reach the proxy of their bean
 * as well.
 */
public final class ProxyChecks {

	private static final Log logger = LogFactory.getLog(ProxyChecks.class);

	/** As text, since Spring MVC may be missing. */
	private static final List<String> HANDLERS = List.of("org.springframework.web.bind.annotation.RequestMapping",
			"org.springframework.web.bind.annotation.ExceptionHandler",
			"org.springframework.web.bind.annotation.ModelAttribute",
			"org.springframework.web.bind.annotation.InitBinder");

	private ProxyChecks() {
	}

	/** What an interface shared with its server is annotated with is for the server. */
	public static void warnOfClients(ConfigurableListableBeanFactory beans, Class<? extends Annotation> annotation) {
		Set<String> names = new TreeSet<>();
		for (Class<?> type : BeanMethods.beans(beans).values()) {
			for (Method method : MethodIntrospector.selectMethods(type,
					(MethodFilter) (each) -> MethodAnnotations.find(each, type, annotation) != null
							&& MethodAnnotations.isOfClient(each, type))) {
				names.add(MethodAnnotations.userClass(method, type).getSimpleName() + "." + method.getName());
			}
		}
		if (!names.isEmpty()) {
			logger.warn("@" + annotation.getSimpleName() + " has no effect on " + String.join(", ", names)
					+ ": an interface maps these methods to HTTP, and their beans are no controllers but clients. The "
					+ "annotation is for the server that shares the interface; for calls of the client, annotate the "
					+ "method of another bean that makes them");
		}
	}

	/**
	 * Fails the start if a handler beside an annotated method cannot be reached through
	 * the proxy, and warns of other final methods, which run on the proxy itself.
	 */
	public static void requireSiblings(ConfigurableListableBeanFactory beans, BiPredicate<Method, Class<?>> annotated) {
		Set<Class<?>> types = new LinkedHashSet<>();
		BeanMethods.forEach(beans, annotated, (method, type) -> types.add(type));
		types.forEach(ProxyChecks::requireOverridable);
		types.removeIf((type) -> !AnnotatedElementUtils.hasAnnotation(type, Controller.class));
		if (!types.isEmpty()) {
			requireMapped(beans, types);
		}
	}

	private static void requireOverridable(Class<?> type) {
		MethodIntrospector.selectMethods(type, ProxyChecks::mapping)
			.forEach((method, mapping) -> MethodAnnotations.requireOverridable(method, type, mapping,
					"it would run on the proxy that annotations of this library on its class or on other methods "
							+ "need, and the fields of a proxy are null"));
		if (Modifier.isFinal(type.getModifiers())) {
			return; // of a JDK proxy or a lambda
		}
		String names = Arrays.stream(ReflectionUtils.getDeclaredMethods(type))
			.filter(ProxyChecks::isOverlooked)
			.map(Method::getName)
			.sorted()
			.collect(Collectors.joining(", "));
		if (!names.isEmpty()) {
			logger.warn("The class " + type.getName()
					+ " has a proxy for the annotations of this library, and the final methods " + names
					+ ": they run on the proxy itself, whose fields are null. Remove 'final' from "
					+ "them (in Kotlin: declare them open)");
		}
	}

	private static boolean isOverlooked(Method method) {
		return Modifier.isFinal(method.getModifiers()) && !method.isSynthetic()
				&& (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) == 0;
	}

	private static @Nullable Class<? extends Annotation> mapping(Method method) {
		return Modifier.isStatic(method.getModifiers()) ? null
				: MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
					.stream()
					.filter((each) -> HANDLERS.contains(each.getType().getName()))
					.<Class<? extends Annotation>>map((each) -> each.getRoot().getType())
					.findFirst()
					.orElse(null);
	}

	/** Spring MVC looks for controllers by the class of the proxy. */
	private static void requireMapped(ConfigurableListableBeanFactory beans, Set<Class<?>> controllers) {
		BeanMethods.beans(beans).forEach((name, type) -> {
			Class<?> proxy = controllers.contains(type) ? beans.getType(name) : null;
			if (proxy != null && !AnnotatedElementUtils.hasAnnotation(proxy, Controller.class)) {
				throw new StartUpException(
						"The controller " + type.getSimpleName()
								+ " handles no request: the proxy that its annotations "
								+ "of this library need has the interfaces of its class only, which hides its mappings",
						"Set spring.aop.proxy-target-class=true, which is the default of Spring Boot", null);
			}
		});
	}

}

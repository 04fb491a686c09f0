package io.idempotent.boot;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopConfigException;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Explains why a bean that Spring cannot proxy needs a proxy.
 */
class UnproxiedOperationFailureAnalyzer extends AbstractFailureAnalyzer<AopConfigException> {

	private final @Nullable BeanFactory beans;

	UnproxiedOperationFailureAnalyzer(@Nullable BeanFactory beans) {
		this.beans = beans;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, AopConfigException cause) {
		Class<?> type = type(beanName(rootFailure, cause));
		Set<Method> operations = (type != null) ? operations(type) : Set.of();
		if (type == null || operations.isEmpty()) {
			return null;
		}
		Method operation = operations.iterator().next();
		String description = "@" + annotation(operation, type) + " " + operation.getDeclaringClass().getSimpleName()
				+ "." + operation.getName() + " needs a proxy, but Spring cannot extend " + type.getName() + ": ";
		if (Modifier.isFinal(type.getModifiers())) {
			return new FailureAnalysis(description + "the class is final", "Remove 'final' from the class (in Kotlin: "
					+ "declare it open, which the compiler plugin kotlin-spring does)", cause);
		}
		if (hasPrivateConstructorsOnly(type)) {
			return new FailureAnalysis(description + "all its constructors are private",
					"Give the class a constructor that is not private", cause);
		}
		return new FailureAnalysis(description + cause.getMessage(),
				"Make the class one that Spring can extend, or move the method to one", cause);
	}

	private static boolean hasPrivateConstructorsOnly(Class<?> type) {
		return Arrays.stream(type.getDeclaredConstructors())
			.allMatch((constructor) -> Modifier.isPrivate(constructor.getModifiers()));
	}

	private static Set<Method> operations(Class<?> type) {
		return MethodIntrospector.selectMethods(type,
				(MethodFilter) (method) -> PresentAnnotations.areOn(method, type));
	}

	private static String annotation(Method operation, Class<?> type) {
		Class<?> annotation = PresentAnnotations.of(operation, type).get(0).annotationType();
		Class<?> repeated = annotation.getEnclosingClass();
		return ((repeated != null) ? repeated : annotation).getSimpleName();
	}

	private static @Nullable String beanName(Throwable failure, AopConfigException cause) {
		String name = null;
		for (Throwable each = failure; each != null && each != cause; each = each.getCause()) {
			name = (each instanceof BeanCreationException creation) ? creation.getBeanName() : name;
		}
		return name;
	}

	private @Nullable Class<?> type(@Nullable String beanName) {
		return (this.beans != null && beanName != null && this.beans.containsBean(beanName))
				? this.beans.getType(beanName) : null;
	}

}

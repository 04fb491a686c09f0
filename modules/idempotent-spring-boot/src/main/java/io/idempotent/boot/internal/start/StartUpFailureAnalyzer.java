package io.idempotent.boot.internal.start;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopConfigException;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Analyzes a {@link StartUpException}, and a method of this library whose bean cannot be
 * proxied. Comes before Spring Boot's analyzers of failed bindings and connections, which
 * know less.
 */
@Order(0)
public class StartUpFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {

	private final @Nullable BeanFactory beans;

	private final @Nullable Environment environment;

	public StartUpFailureAnalyzer(@Nullable BeanFactory beans, @Nullable Environment environment) {
		this.beans = beans;
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, Throwable cause) {
		StartUpException known = findCause(rootFailure, StartUpException.class);
		if (known != null) {
			Origin origin = (known instanceof InvalidConfigurationException invalid) ? origin(invalid) : null;
			return new FailureAnalysis(known.description() + ((origin != null) ? " (set by " + origin + ")" : ""),
					known.action(), known);
		}
		AopConfigException proxy = findCause(rootFailure, AopConfigException.class);
		return (proxy != null) ? unproxied(rootFailure, proxy) : null;
	}

	private @Nullable Origin origin(InvalidConfigurationException invalid) {
		if (!(this.environment instanceof ConfigurableEnvironment configurable)) {
			return null;
		}
		// Adapted, because the key of a map may have upper case letters.
		ConfigurationPropertyName name = ConfigurationPropertyName.adapt(invalid.property(), '.');
		return StreamSupport
			.stream(ConfigurationPropertySources.from(configurable.getPropertySources()).spliterator(), false)
			.map((source) -> source.getConfigurationProperty(name))
			.filter(Objects::nonNull)
			.map(ConfigurationProperty::getOrigin)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private @Nullable FailureAnalysis unproxied(Throwable rootFailure, AopConfigException cause) {
		String name = beanName(rootFailure, cause);
		Class<?> type = (this.beans != null && name != null && this.beans.containsBean(name)) ? this.beans.getType(name)
				: null;
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
		if (Stream.of(type.getDeclaredConstructors()).map(Constructor::getModifiers).allMatch(Modifier::isPrivate)) {
			return new FailureAnalysis(description + "all its constructors are private",
					"Give the class a constructor that is not private", cause);
		}
		return new FailureAnalysis(description + cause.getMessage(),
				"Make the class one that Spring can extend, or move the method to one", cause);
	}

	private static Set<Method> operations(Class<?> type) {
		return MethodIntrospector.selectMethods(type,
				(MethodFilter) (method) -> !BeanMethods.annotations(method, type).isEmpty());
	}

	private static String annotation(Method operation, Class<?> type) {
		Class<?> annotation = BeanMethods.annotations(operation, type).get(0).annotationType();
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

}

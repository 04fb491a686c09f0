package io.idempotent.boot.internal.start;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Registers for a native image what annotated methods need at run time: the method, which
 * its advice invokes; the argument types that an expression reads, with their properties;
 * and the type of a result that is stored as JSON.
 */
class OperationHints implements BeanFactoryInitializationAotProcessor {

	private static final String RESULT_IS_STORED = "io.idempotent.Idempotent";

	private static final Pattern VARIABLE = Pattern.compile("#([\\p{Alpha}_$][\\w$]*)");

	private final DefaultParameterNameDiscoverer parameters = new DefaultParameterNameDiscoverer();

	private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beans) {
		Map<Method, List<Annotation>> methods = new LinkedHashMap<>();
		BeanMethods.forEach(beans, (method, type) -> !BeanMethods.annotations(method, type).isEmpty(),
				(method, type) -> methods.put(method, BeanMethods.annotations(method, type)));
		return methods.isEmpty() ? null : (context, code) -> methods
			.forEach((method, annotations) -> register(method, annotations, context.getRuntimeHints().reflection()));
	}

	private void register(Method method, List<Annotation> annotations, ReflectionHints hints) {
		hints.registerMethod(method, ExecutableMode.INVOKE);
		registerArguments(method, annotations.stream().flatMap(OperationHints::variables).collect(Collectors.toSet()),
				hints);
		if (annotations.stream().anyMatch((each) -> each.annotationType().getName().equals(RESULT_IS_STORED))) {
			this.binding.registerReflectionHints(hints, method.getGenericReturnType());
		}
	}

	private void registerArguments(Method method, Set<String> variables, ReflectionHints hints) {
		@Nullable String @Nullable [] names = this.parameters.getParameterNames(method);
		Type[] types = method.getGenericParameterTypes();
		for (int i = 0; names != null && i < names.length; i++) {
			if (variables.contains(names[i])) {
				this.binding.registerReflectionHints(hints, types[i]);
			}
		}
	}

	private static Stream<String> variables(Annotation annotation) {
		return texts(AnnotationUtils.getAnnotationAttributes(annotation, false, true))
			.flatMap((text) -> VARIABLE.matcher(text).results())
			.map((match) -> match.group(1));
	}

	/** The attributes that may be expressions, also of the annotations in a container. */
	private static Stream<String> texts(Map<String, Object> attributes) {
		return attributes.values().stream().flatMap((value) -> {
			if (value instanceof String text) {
				return Stream.of(text);
			}
			if (value instanceof AnnotationAttributes[] contained) {
				return Stream.of(contained).flatMap(OperationHints::texts);
			}
			return (value instanceof String[] several) ? Stream.of(several) : Stream.empty();
		});
	}

}

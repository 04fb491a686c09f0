package io.idempotent.boot.internal.start;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.aot.BeanFactoryInitializationCode;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Registers for a native image what annotated methods need at run time: the method, which
 * its advice invokes; the types of arguments that an expression reads, with their
 * properties; and the type of a result that is stored as JSON.
 */
class OperationHints implements BeanFactoryInitializationAotProcessor {

	private static final String RESULT_IS_STORED = "io.idempotent.Idempotent";

	private static final Pattern VARIABLE = Pattern.compile("#([\\p{Alpha}_$][\\w$]*)");

	private final DefaultParameterNameDiscoverer parameters = new DefaultParameterNameDiscoverer();

	private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beans) {
		List<AnnotatedMethod> methods = new ArrayList<>();
		BeanMethods.forEach(beans, (method, type) -> !BeanMethods.annotations(method, type).isEmpty(),
				(method, type) -> methods.add(new AnnotatedMethod(method, BeanMethods.annotations(method, type))));
		return methods.isEmpty() ? null : new Contribution(methods);
	}

	private void register(AnnotatedMethod annotated, ReflectionHints hints) {
		Method method = annotated.method();
		hints.registerMethod(method, ExecutableMode.INVOKE);
		Set<String> variables = new LinkedHashSet<>();
		annotated.annotations()
			.stream()
			.flatMap((annotation) -> texts(AnnotationUtils.getAnnotationAttributes(annotation, false, true)))
			.forEach((text) -> VARIABLE.matcher(text).results().map((match) -> match.group(1)).forEach(variables::add));
		registerArguments(method, variables, hints);
		if (annotated.has(RESULT_IS_STORED)) {
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

	/**
	 * A method with its annotations.
	 *
	 * @param method the method
	 * @param annotations its annotations of this library
	 */
	private record AnnotatedMethod(Method method, List<Annotation> annotations) {

		boolean has(String annotationType) {
			return this.annotations.stream()
				.anyMatch((annotation) -> annotation.annotationType().getName().equals(annotationType));
		}

	}

	/**
	 * The contribution for the annotated methods.
	 */
	private final class Contribution implements BeanFactoryInitializationAotContribution {

		private final List<AnnotatedMethod> methods;

		Contribution(List<AnnotatedMethod> methods) {
			this.methods = methods;
		}

		@Override
		public void applyTo(GenerationContext context, BeanFactoryInitializationCode code) {
			ReflectionHints hints = context.getRuntimeHints().reflection();
			this.methods.forEach((method) -> register(method, hints));
		}

	}

}

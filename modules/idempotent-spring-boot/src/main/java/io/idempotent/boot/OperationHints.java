package io.idempotent.boot;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
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
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;

/**
 * Registers for a native image what annotated methods need at run time: the method, which
 * its advice invokes; the types of the arguments that an expression reads, with all their
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
		Set<Method> methods = new LinkedHashSet<>();
		BeanMethods.forEach(beans, (method) -> !OperationAnnotations.of(method).isEmpty(),
				(method, type) -> methods.add(method));
		return methods.isEmpty() ? null : new Contribution(methods);
	}

	private void register(Method method, ReflectionHints hints) {
		hints.registerMethod(method, ExecutableMode.INVOKE);
		Set<String> variables = new LinkedHashSet<>();
		OperationAnnotations.of(method)
			.stream()
			.flatMap((type) -> annotations(method).flatMap((annotations) -> annotations.stream(type)))
			.flatMap(OperationHints::texts)
			.forEach((text) -> VARIABLE.matcher(text).results().map((match) -> match.group(1)).forEach(variables::add));
		registerArguments(method, variables, hints);
		if (annotations(method).anyMatch((annotations) -> annotations.isPresent(RESULT_IS_STORED))) {
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

	/** Those of the method and of its class. */
	private static Stream<MergedAnnotations> annotations(Method method) {
		return Stream.of(method, method.getDeclaringClass())
			.map((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY,
					RepeatableContainers.standardRepeatables()));
	}

	/** The attributes that may be expressions. */
	private static Stream<String> texts(MergedAnnotation<?> annotation) {
		return annotation.asMap().values().stream().flatMap((value) -> {
			if (value instanceof String text) {
				return Stream.of(text);
			}
			return (value instanceof String[] several) ? Stream.of(several) : Stream.empty();
		});
	}

	/**
	 * What is contributed for the annotated methods.
	 */
	private final class Contribution implements BeanFactoryInitializationAotContribution {

		private final Set<Method> methods;

		Contribution(Set<Method> methods) {
			this.methods = methods;
		}

		@Override
		public void applyTo(GenerationContext context, BeanFactoryInitializationCode code) {
			ReflectionHints hints = context.getRuntimeHints().reflection();
			this.methods.forEach((method) -> register(method, hints));
		}

	}

}

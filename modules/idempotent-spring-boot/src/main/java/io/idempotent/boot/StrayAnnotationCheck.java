package io.idempotent.boot;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Collectors;

import io.idempotent.ApiIdempotent;
import io.idempotent.support.InvalidAnnotationException;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Fails the start if a bean method with {@link ApiIdempotent} handles no request, because
 * the annotation would have no effect.
 */
final class StrayAnnotationCheck implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beans;

	private final ObjectProvider<RequestMappingHandlerMapping> mappings;

	StrayAnnotationCheck(ConfigurableListableBeanFactory beans, ObjectProvider<RequestMappingHandlerMapping> mappings) {
		this.beans = beans;
		this.mappings = mappings;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<Method> handlers = this.mappings.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().values().stream())
			.map(HandlerMethod::getMethod)
			.collect(Collectors.toSet());
		// Selected by the annotation alone: without the handlers, their bridge methods
		// would be selected instead.
		BeanMethods.forEach(this.beans, (method) -> AnnotatedElementUtils.hasAnnotation(method, ApiIdempotent.class),
				(method, type) -> {
					if (!handlers.contains(method)) {
						refuse(method, type);
					}
				});
	}

	private static void refuse(Method method, Class<?> type) {
		throw new InvalidAnnotationException(
				"@ApiIdempotent " + type.getSimpleName() + "." + method.getName()
						+ " handles no request of Spring MVC, so that nothing makes it idempotent",
				"Annotate the controller method that is mapped to the request, or map this one", null);
	}

}

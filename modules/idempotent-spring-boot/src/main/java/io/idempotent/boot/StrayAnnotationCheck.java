package io.idempotent.boot;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;

import io.idempotent.ApiIdempotent;
import io.idempotent.support.StartUpException;
import io.idempotent.webmvc.internal.HttpIdempotency;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Fails the start if a bean method with {@link ApiIdempotent} handles no request, or no
 * method of a class with it, because the annotation would have no effect.
 */
final class StrayAnnotationCheck implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beans;

	private final ObjectProvider<RequestMappingHandlerMapping> mappings;

	private final HttpIdempotency idempotency;

	StrayAnnotationCheck(ConfigurableListableBeanFactory beans, ObjectProvider<RequestMappingHandlerMapping> mappings,
			HttpIdempotency idempotency) {
		this.beans = beans;
		this.mappings = mappings;
		this.idempotency = idempotency;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<Method> handlers = new HashSet<>();
		Set<Class<?>> served = new HashSet<>();
		this.mappings.stream().forEach((mapping) -> mapping.getHandlerMethods().forEach((info, handler) -> {
			handlers.add(handler.getMethod());
			if (this.idempotency.isOperation(handler, info)) {
				served.add(ClassUtils.getUserClass(handler.getBeanType()));
			}
		}));
		// Selected by the annotation alone: without the handlers, their bridge methods
		// would be selected instead.
		BeanMethods.forEach(this.beans, (method) -> AnnotatedElementUtils.hasAnnotation(method, ApiIdempotent.class),
				(method, type) -> {
					if (!handlers.contains(method)) {
						throw stray(type.getSimpleName() + "." + method.getName() + " handles no request of Spring MVC",
								"Annotate the controller method that is mapped to the request, or map this one");
					}
				});
		BeanMethods.classes(this.beans)
			.filter((type) -> AnnotatedElementUtils.isAnnotated(type, ApiIdempotent.class))
			.filter((type) -> !served.contains(type))
			.findFirst()
			.ifPresent((type) -> {
				throw stray(
						"class " + type.getSimpleName() + " declares no method that handles a request of Spring MVC "
								+ "other than GET, HEAD, OPTIONS and TRACE",
						"Annotate the controller that handles the requests, or its methods");
			});
	}

	private static StartUpException stray(String problem, String action) {
		return new StartUpException("@ApiIdempotent " + problem + ", so that nothing makes it idempotent", action,
				null);
	}

}

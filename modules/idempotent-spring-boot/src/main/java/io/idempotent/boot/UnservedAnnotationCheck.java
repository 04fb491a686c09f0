package io.idempotent.boot;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.support.MethodAnnotations;
import io.idempotent.support.StartUpException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;

/**
 * Looks for {@link ApiIdempotent} in an application where it has no effect because Spring
 * MVC or the module {@code idempotent-webmvc} is missing. Fails the start of a web
 * application. In an application without a web server, such as a batch job that shares
 * code with one, controllers handle no requests: one warning names them. Any other
 * annotated method fails the start, because it handles no request anywhere.
 */
final class UnservedAnnotationCheck implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(UnservedAnnotationCheck.class);

	/** A bean of every WebFlux application. */
	static final String WEB_FLUX = "webHandler";

	/** A bean of every Spring MVC application, and of a WebFlux one. */
	static final String SPRING_MVC = "requestMappingHandlerMapping";

	private final ConfigurableListableBeanFactory beans;

	UnservedAnnotationCheck(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<String> idle = new ArrayList<>();
		BeanMethods.forEach(this.beans,
				(method, type) -> MethodAnnotations.find(method, type, ApiIdempotent.class) != null,
				(method, type) -> idle.add(idle(method, type)));
		if (!idle.isEmpty()) {
			logger.warn("Nothing acts on @ApiIdempotent in this application, which is not a servlet application with "
					+ "Spring MVC: " + String.join(", ", idle)
					+ ". That is correct if the application handles no requests; use @Idempotent for methods that other "
					+ "code calls");
		}
	}

	private String idle(Method method, Class<?> type) {
		String name = type.getSimpleName() + "." + method.getName();
		if (this.beans.containsBean(WEB_FLUX)) {
			throw new StartUpException(
					"@ApiIdempotent " + name + " is in a WebFlux application, where nothing makes it idempotent",
					"Use Spring MVC (spring-boot-starter-webmvc; its handlers may return CompletableFuture, and on "
							+ "Java 21 spring.threads.virtual.enabled=true makes blocking cheap), or remove the annotation",
					null);
		}
		if (this.beans.containsBean(SPRING_MVC)) {
			throw new StartUpException(
					"@ApiIdempotent " + name + " has no effect: the module idempotent-webmvc is not on the class path",
					"Add io.idempotent:idempotent-webmvc, or idempotent-spring-boot-starter, which includes it", null);
		}
		if (!AnnotatedElementUtils.hasAnnotation(type, Controller.class)) {
			throw new StartUpException(
					"@ApiIdempotent " + name + " handles no request of Spring MVC, so that nothing makes it idempotent",
					"Use @Idempotent for a method that other code calls", null);
		}
		return name;
	}

}

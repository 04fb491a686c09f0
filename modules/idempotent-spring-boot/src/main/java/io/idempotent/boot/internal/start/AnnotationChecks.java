package io.idempotent.boot.internal.start;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.method.IdempotentMethods;
import io.idempotent.support.MethodAnnotations;
import io.idempotent.support.StartUpException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;

/**
 * Fails the start if an annotation of this library cannot have its effect.
 */
public final class AnnotationChecks {

	private static final Log logger = LogFactory.getLog(AnnotationChecks.class);

	/** A bean of every WebFlux application. */
	private static final String WEB_FLUX = "webHandler";

	private static final String WEB_HANDLER = "org.springframework.web.server.WebHandler";

	/** A bean of every Spring MVC application, and of a WebFlux one. */
	private static final String SPRING_MVC = "requestMappingHandlerMapping";

	private static final List<Support> SUPPORTS = List.of(
			new Support(ApiIdempotent.class.getName(), "io.idempotent.webmvc.internal.HttpIdempotency",
					"io.idempotent.boot.IdempotencyWebMvcAutoConfiguration"),
			new Support(Idempotent.class.getName(), "io.idempotent.method.IdempotentMethods",
					"io.idempotent.boot.IdempotencyCallAutoConfiguration"),
			new Support("io.idempotent.lock.DistributedLocked", "io.idempotent.lock.DistributedLocks",
					"io.idempotent.boot.lock.LockAutoConfiguration"));

	private AnnotationChecks() {
	}

	public static void requireWorkingMethods(IdempotentMethods methods, ConfigurableListableBeanFactory beans) {
		BeanMethods.forEach(beans,
				(method, type) -> MethodAnnotations.findOnNonPrivate(method, type, Idempotent.class) != null,
				(method, type) -> {
					requireProxies(method, beans);
					MethodAnnotations.requireOverridable(method, type, Idempotent.class,
							"nothing would make it idempotent");
					methods.check(method, type);
				});
	}

	private static void requireProxies(Method method, ConfigurableListableBeanFactory beans) {
		if (!beans.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)) {
			throw new StartUpException("@Idempotent " + method.getDeclaringClass().getSimpleName() + "."
					+ method.getName()
					+ " needs a proxy, but nothing makes proxies here, so that nothing would make it idempotent",
					"Leave spring.aop.auto switched on, or add @EnableAspectJAutoProxy", null);
		}
	}

	/**
	 * {@link ApiIdempotent} needs Spring MVC and {@code idempotent-webmvc}. In an
	 * application without a web server, such as a batch job that shares code with one, a
	 * single warning names the controllers, which handle no requests. Any other annotated
	 * method fails the start, because it handles no request anywhere.
	 */
	public static void requireSpringMvc(ConfigurableListableBeanFactory beans) {
		List<String> idle = new ArrayList<>();
		BeanMethods.forEach(beans, (method, type) -> MethodAnnotations.find(method, type, ApiIdempotent.class) != null,
				(method, type) -> idle.add(idle(method, type, beans)));
		if (!idle.isEmpty()) {
			logger.warn("Nothing acts on @ApiIdempotent in this application, which is not a servlet application with "
					+ "Spring MVC: " + String.join(", ", idle)
					+ ". That is correct if the application handles no requests; use @Idempotent for methods that other "
					+ "code calls");
		}
	}

	private static String idle(Method method, Class<?> type, ConfigurableListableBeanFactory beans) {
		String name = type.getSimpleName() + "." + method.getName();
		if (isWebFlux(beans)) {
			throw new StartUpException(
					"@ApiIdempotent " + name + " is in a WebFlux application, where nothing makes it idempotent",
					"Use Spring MVC (spring-boot-starter-webmvc; its handlers may return CompletableFuture, and on "
							+ "Java 21 spring.threads.virtual.enabled=true makes blocking cheap), or remove the annotation",
					null);
		}
		if (beans.containsBean(SPRING_MVC)) {
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

	/** Fails if the auto-configuration of an annotation that is used was excluded. */
	public static void requireAutoConfigurations(ConfigurableListableBeanFactory beans, boolean locksEnabled) {
		SUPPORTS.stream()
			.filter((support) -> isExpected(support, beans, locksEnabled))
			.forEach((support) -> requireUnused(support, beans));
	}

	private static boolean isExpected(Support support, ConfigurableListableBeanFactory beans, boolean locksEnabled) {
		return switch (ClassUtils.getShortName(support.annotation())) {
			case "ApiIdempotent" -> beans.containsBean(SPRING_MVC) && !isWebFlux(beans);
			case "DistributedLocked" -> locksEnabled;
			default -> true;
		};
	}

	/** Not any bean of that name. */
	private static boolean isWebFlux(ConfigurableListableBeanFactory beans) {
		return beans.containsBean(WEB_FLUX) && ClassUtils.isPresent(WEB_HANDLER, null)
				&& beans.isTypeMatch(WEB_FLUX, ClassUtils.resolveClassName(WEB_HANDLER, null));
	}

	private static void requireUnused(Support support, ConfigurableListableBeanFactory beans) {
		ClassLoader loader = AnnotationChecks.class.getClassLoader();
		if (!ClassUtils.isPresent(support.annotation(), loader) || !ClassUtils.isPresent(support.bean(), loader)
				|| BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans,
						ClassUtils.resolveClassName(support.bean(), loader), true, false).length > 0) {
			return;
		}
		Class<? extends Annotation> annotation = ClassUtils.resolveClassName(support.annotation(), loader)
			.asSubclass(Annotation.class);
		BeanMethods.forEach(beans, (method, type) -> MethodAnnotations.find(method, type, annotation) != null,
				(method, type) -> {
					throw new StartUpException(
							"@" + annotation.getSimpleName() + " " + type.getSimpleName() + "." + method.getName()
									+ " has no effect: " + support.autoConfiguration() + " is excluded",
							"Do not exclude it (spring.autoconfigure.exclude, or exclude of @SpringBootApplication), "
									+ "or remove the annotation",
							null);
				});
	}

	/** What gives an annotation its effect: a bean of an auto-configuration. */
	private record Support(String annotation, String bean, String autoConfiguration) {
	}

}

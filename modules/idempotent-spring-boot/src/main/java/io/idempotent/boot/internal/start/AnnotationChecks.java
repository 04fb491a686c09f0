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

import org.springframework.aop.Advisor;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.interceptor.TransactionInterceptor;
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

	private static final String CALLS = "IdempotencyCallAutoConfiguration";

	private static final String HTTP = "io.idempotent.webmvc.internal.HttpIdempotency";

	private static final String LOCKED = "io.idempotent.lock.DistributedLocked";

	private static final String LOCKS = "io.idempotent.lock.method.LockedMethods";

	private AnnotationChecks() {
	}

	public static void requireWorkingMethods(IdempotentMethods methods, ConfigurableListableBeanFactory beans) {
		BeanMethods.forEach(beans,
				(method, type) -> MethodAnnotations.findOnNonPrivate(method, type, Idempotent.class) != null,
				(method, type) -> {
					MethodAnnotations.requireOverridable(method, type, Idempotent.class,
							"nothing would make it idempotent");
					methods.check(method, type);
				});
	}

	/** Otherwise the transaction of a method would not decide on its operation. */
	public static void requireInsideTransactions(String body, ConfigurableListableBeanFactory beans) {
		List<Advisor> advisors = beans.getBeanProvider(Advisor.class).orderedStream().toList();
		int position = advisors.indexOf(beans.getBean(body));
		if (advisors.stream().skip(position).anyMatch((each) -> each.getAdvice() instanceof TransactionInterceptor)) {
			throw new StartUpException(
					"The advisor " + body + " is outside of transactions, because a TransactionInterceptor with the "
							+ "same order was registered after it: a rollback of the method would not be noticed",
					"Give the transactions an order below Ordered.LOWEST_PRECEDENCE, as by "
							+ "@EnableTransactionManagement(order = 10000)",
					null);
		}
	}

	/**
	 * Fails if an annotation is used and nothing gives it its effect, as where its
	 * auto-configuration is excluded.
	 */
	public static void requireEffect(ConfigurableListableBeanFactory beans, boolean locksEnabled) {
		if (isMissing(HTTP, beans)) {
			requireSpringMvc(beans);
		}
		if (isMissing("io.idempotent.method.IdempotentMethods", beans)) {
			requireUnused(Idempotent.class, CALLS, beans);
			if (!isMissing(HTTP, beans)) {
				// Nothing would note in which transaction the method begins.
				requireUnused(ApiIdempotent.class, CALLS, beans);
			}
		}
		if (locksEnabled && isPresent(LOCKS, beans) && isMissing(LOCKS, beans)) {
			requireUnused(ClassUtils.resolveClassName(LOCKED, null).asSubclass(Annotation.class),
					"lock.LockAutoConfiguration", beans);
		}
	}

	private static boolean isPresent(String type, ConfigurableListableBeanFactory beans) {
		return ClassUtils.isPresent(type, beans.getBeanClassLoader());
	}

	private static boolean isMissing(String type, ConfigurableListableBeanFactory beans) {
		return !isPresent(type, beans) || BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans,
				ClassUtils.resolveClassName(type, beans.getBeanClassLoader()), true, false).length == 0;
	}

	/**
	 * In an application without a web server, such as a batch job that shares code with
	 * one, a single warning names the controllers, which handle no requests. Any other
	 * method with {@link ApiIdempotent} fails the start, because it handles no request
	 * anywhere.
	 */
	private static void requireSpringMvc(ConfigurableListableBeanFactory beans) {
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
		if (beans.containsBean(SPRING_MVC) && isPresent(HTTP, beans)) {
			throw excluded("@ApiIdempotent " + name, "IdempotencyWebMvcAutoConfiguration");
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

	/** Not any bean of that name. */
	private static boolean isWebFlux(ConfigurableListableBeanFactory beans) {
		return beans.containsBean(WEB_FLUX) && ClassUtils.isPresent(WEB_HANDLER, null)
				&& beans.isTypeMatch(WEB_FLUX, ClassUtils.resolveClassName(WEB_HANDLER, null));
	}

	private static void requireUnused(Class<? extends Annotation> annotation, String autoConfiguration,
			ConfigurableListableBeanFactory beans) {
		BeanMethods.forEach(beans, (method, type) -> MethodAnnotations.find(method, type, annotation) != null,
				(method, type) -> {
					throw excluded(
							"@" + annotation.getSimpleName() + " " + type.getSimpleName() + "." + method.getName(),
							autoConfiguration);
				});
	}

	private static StartUpException excluded(String method, String autoConfiguration) {
		return new StartUpException(method + " has no effect: io.idempotent.boot." + autoConfiguration + " is excluded",
				"Do not exclude it (spring.autoconfigure.exclude, or exclude of @SpringBootApplication), "
						+ "or remove the annotation",
				null);
	}

}

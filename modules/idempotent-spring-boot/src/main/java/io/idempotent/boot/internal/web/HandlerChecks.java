package io.idempotent.boot.internal.web;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

import io.idempotent.ApiIdempotent;
import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.support.StartUpException;
import io.idempotent.webmvc.CallerResolver;
import io.idempotent.webmvc.internal.HttpIdempotency;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Checks how annotated methods are mapped to requests and how callers are identified.
 */
public final class HandlerChecks {

	private static final Log logger = LogFactory.getLog(HandlerChecks.class);

	private static final String SECURITY_FILTER = "springSecurityFilterChain";

	private HandlerChecks() {
	}

	/**
	 * Fails if an {@link ApiIdempotent} method, or a method of such a class, handles no
	 * requests: the annotation would have no effect.
	 */
	public static void requireMappings(ConfigurableListableBeanFactory beans,
			Collection<RequestMappingHandlerMapping> mappings, HttpIdempotency idempotency) {
		Set<Method> handlers = new HashSet<>();
		Set<Class<?>> served = new HashSet<>();
		for (RequestMappingHandlerMapping mapping : mappings) {
			mapping.getHandlerMethods().forEach((info, handler) -> {
				handlers.add(handler.getMethod());
				if (idempotency.isOperation(handler, info)) {
					served.add(ClassUtils.getUserClass(handler.getBeanType()));
				}
			});
		}
		// Selected by the annotation alone: without the handlers, their bridge methods
		// would be selected instead.
		BeanMethods.forEach(beans, (method, type) -> AnnotatedElementUtils.hasAnnotation(method, ApiIdempotent.class),
				(method, type) -> {
					if (!handlers.contains(method)) {
						throw stray(type.getSimpleName() + "." + method.getName() + " handles no request of Spring MVC",
								"Annotate the controller method that is mapped to the request, or map this one; a proxy "
										+ "hides the mapping of a class that implements interfaces if "
										+ "spring.aop.proxy-target-class is false; "
										+ "controllers of Spring Data REST are not supported");
					}
				});
		for (Class<?> type : BeanMethods.beans(beans).values()) {
			if (!type.isInterface() && AnnotatedElementUtils.isAnnotated(type, ApiIdempotent.class)
					&& !served.contains(type)) {
				throw stray(
						"class " + type.getSimpleName() + " declares no method that handles a request of Spring MVC "
								+ "other than GET, HEAD, OPTIONS and TRACE",
						"Annotate the controller that handles the requests, or its methods");
			}
		}
	}

	private static StartUpException stray(String problem, String action) {
		return new StartUpException("@ApiIdempotent " + problem + ", so that nothing makes it idempotent", action,
				null);
	}

	/** Warns if responses are replayed and callers cannot be distinguished. */
	public static void warnOfUnknownCallers(BeanFactory beans, boolean session, Collection<String> replayed) {
		if (session || replayed.isEmpty() || hasResolver(beans) || beans.containsBean(SECURITY_FILTER)) {
			return;
		}
		logger.warn("The callers of HTTP operations cannot be distinguished: there is neither Spring Security nor a "
				+ "CallerResolver bean. Unless a filter sets the principal of the request, all callers count as one for "
				+ "the operations " + replayed + ", and a caller who sends the key or the content of another gets the "
				+ "other's response. Define a CallerResolver bean, or set idempotent.web.bind-to-session=true; a CallerResolver "
				+ "that returns Caller.ANONYMOUS confirms that this is intended");
	}

	private static boolean hasResolver(BeanFactory beans) {
		return beans.getBeanProvider(CallerResolver.class).getIfAvailable() != null;
	}

}

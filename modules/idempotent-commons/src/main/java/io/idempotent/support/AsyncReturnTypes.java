package io.idempotent.support;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/**
 * Types of values that are returned before the work is done.
 */
public final class AsyncReturnTypes {

	private static final List<Class<?>> LATER = List.of(Future.class, CompletionStage.class, Callable.class,
			Flow.Publisher.class);

	/** By name, since Web MVC may not be there. */
	private static final List<String> LATER_ON_THE_WEB = List.of(
			"org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

	/** By name, since Kotlin may not be there. */
	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	private AsyncReturnTypes() {
	}

	/**
	 * Whether the work behind a value may go on after the value is there.
	 * @param type the type of the value
	 * @return whether it is a future, a publisher or the like
	 */
	public static boolean isLate(Class<?> type) {
		return LATER.stream().anyMatch((later) -> later.isAssignableFrom(type))
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null || isLateOnTheWeb(type);
	}

	/**
	 * Whether a method is a {@code suspend} function of Kotlin: it returns as soon as it
	 * waits for something, and goes on later on another thread. Its last parameter is the
	 * continuation.
	 * @param method the method
	 * @return whether it is
	 */
	public static boolean isSuspending(Method method) {
		Class<?>[] parameters = method.getParameterTypes();
		return parameters.length > 0 && parameters[parameters.length - 1].getName().equals(CONTINUATION);
	}

	private static boolean isLateOnTheWeb(Class<?> type) {
		ClassLoader loader = type.getClassLoader();
		return LATER_ON_THE_WEB.stream()
			.anyMatch((name) -> ClassUtils.isPresent(name, loader)
					&& ClassUtils.resolveClassName(name, loader).isAssignableFrom(type));
	}

}

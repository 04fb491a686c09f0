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
 * Recognizes return types of asynchronous methods, which return before the work is done.
 */
public final class AsyncReturnTypes {

	private static final List<Class<?>> ASYNC_TYPES = List.of(Future.class, CompletionStage.class, Callable.class,
			Flow.Publisher.class);

	/** By name, because Web MVC is optional. */
	private static final List<String> ASYNC_WEB_TYPES = List.of(
			"org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

	/** By name, because Kotlin is optional. */
	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	private AsyncReturnTypes() {
	}

	/**
	 * Whether a method with this return type may return before its work is done.
	 * @param type the return type
	 * @return whether it is a future, a publisher or a similar type
	 */
	public static boolean isAsync(Class<?> type) {
		return ASYNC_TYPES.stream().anyMatch((async) -> async.isAssignableFrom(type))
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null || isAsyncOnTheWeb(type);
	}

	/**
	 * Whether a method is a {@code suspend} function of Kotlin: it may return before it
	 * has finished, and continue on another thread. Its last parameter is the
	 * continuation.
	 * @param method the method
	 */
	public static boolean isSuspending(Method method) {
		Class<?>[] parameters = method.getParameterTypes();
		return parameters.length > 0 && parameters[parameters.length - 1].getName().equals(CONTINUATION);
	}

	private static boolean isAsyncOnTheWeb(Class<?> type) {
		ClassLoader loader = type.getClassLoader();
		return ASYNC_WEB_TYPES.stream()
			.anyMatch((name) -> ClassUtils.isPresent(name, loader)
					&& ClassUtils.resolveClassName(name, loader).isAssignableFrom(type));
	}

}

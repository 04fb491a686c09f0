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
 * Recognizes return types of methods that return before the work is done.
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

	public static boolean isAsync(Class<?> type) {
		return ASYNC_TYPES.stream().anyMatch((async) -> async.isAssignableFrom(type))
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null || isAsyncOnTheWeb(type);
	}

	/** A {@code suspend} function may return early and go on in another thread. */
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

package io.idempotent.webmvc.internal.operation;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Whether what a handler method returns is a response that can be recorded. */
public final class ReturnTypes {

	private static final List<Class<?>> STREAMING = List.of(ResponseBodyEmitter.class, StreamingResponseBody.class);

	private static final List<Class<?>> ASYNCHRONOUS = List.of(Callable.class, DeferredResult.class,
			CompletionStage.class, WebAsyncTask.class);

	private ReturnTypes() {
	}

	public static boolean isAsynchronous(@Nullable Object value) {
		return value != null && (isOneOf(ASYNCHRONOUS, value.getClass()) || adapter(value.getClass()) != null);
	}

	/**
	 * Whether Spring MVC runs a value as a {@link Callable}, so that another one may be
	 * returned instead: some reactive types are also callable.
	 */
	public static boolean isCallable(Method method, Callable<?> value) {
		return method.getReturnType().isAssignableFrom(Callable.class) && adapter(value.getClass()) == null;
	}

	/** Whether a value, or the body of a {@code ResponseEntity}, is streamed. */
	public static boolean isStreaming(@Nullable Object value) {
		Object body = (value instanceof HttpEntity<?> entity) ? entity.getBody() : value;
		return body != null && isStreaming(body.getClass());
	}

	/** {@code null}, or a streaming type, whose response has no defined end to record. */
	static @Nullable Class<?> streaming(ResolvableType type) {
		Class<?> raw = type.resolve(Object.class);
		if (isStreaming(raw)) {
			return raw;
		}
		for (ResolvableType generic : type.getGenerics()) {
			Class<?> found = streaming(generic);
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	private static boolean isStreaming(Class<?> type) {
		ReactiveAdapter adapter = adapter(type);
		return isOneOf(STREAMING, type) || (adapter != null && adapter.isMultiValue());
	}

	private static boolean isOneOf(List<Class<?>> types, Class<?> type) {
		for (Class<?> one : types) {
			if (one.isAssignableFrom(type)) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable ReactiveAdapter adapter(Class<?> type) {
		return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
	}

}

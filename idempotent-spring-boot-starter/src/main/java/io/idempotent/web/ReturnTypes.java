package io.idempotent.web;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * What a handler method's return type means for recording its answer.
 */
final class ReturnTypes {

	private static final List<Class<?>> STREAMING = List.of(ResponseBodyEmitter.class, StreamingResponseBody.class);

	private static final List<Class<?>> LATER = List.of(Callable.class, DeferredResult.class, CompletionStage.class,
			WebAsyncTask.class);

	private ReturnTypes() {
	}

	/**
	 * The type, inside or outside a {@code ResponseEntity} or an asynchronous type, whose
	 * answer has no end that could be recorded.
	 * @param method the method
	 * @return the streaming type, or {@code null}
	 */
	static @Nullable Class<?> streaming(Method method) {
		return streaming(ResolvableType.forMethodReturnType(method));
	}

	static boolean isLater(Method method) {
		Class<?> type = method.getReturnType();
		return LATER.stream().anyMatch((later) -> later.isAssignableFrom(type)) || adapter(type) != null;
	}

	private static @Nullable Class<?> streaming(ResolvableType type) {
		Class<?> raw = type.resolve(Object.class);
		ReactiveAdapter adapter = adapter(raw);
		if (STREAMING.stream().anyMatch((streaming) -> streaming.isAssignableFrom(raw))
				|| (adapter != null && adapter.isMultiValue())) {
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

	private static @Nullable ReactiveAdapter adapter(Class<?> type) {
		return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
	}

}

package io.idempotent.webmvc.internal.dispatch;

import io.idempotent.IdempotencyContext;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Resolves an {@link IdempotencyContext} argument of a handler method. */
public final class IdempotencyContextArgumentResolver implements HandlerMethodArgumentResolver {

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == IdempotencyContext.class;
	}

	@Override
	public @Nullable Object resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
			NativeWebRequest request, @Nullable WebDataBinderFactory binders) {
		Object context = request.getAttribute(IdempotencyContext.ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
		if (context == null && !parameter.isOptional()) {
			throw new IllegalStateException(parameter.getExecutable()
					+ " has an IdempotencyContext argument, but this request is not idempotent: annotate the method with"
					+ " @ApiIdempotent; if it is, make the argument @Nullable, for requests that are safe or need no key");
		}
		return context;
	}

}

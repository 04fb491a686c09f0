package io.idempotent.steps.autoconfigure;

import io.idempotent.IdempotencyContext;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.internal.SwitchedOffSteps;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Resolves an {@link OperationSteps} argument of a handler method. */
record OperationStepsArgumentResolver(
		ObjectProvider<OperationStepsFactory> factories) implements HandlerMethodArgumentResolver {

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == OperationSteps.class;
	}

	@Override
	public @Nullable Object resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
			NativeWebRequest request, @Nullable WebDataBinderFactory binders) {
		OperationStepsFactory factory = this.factories.getObject();
		if (factory instanceof SwitchedOffSteps) {
			return factory.current();
		}
		Object context = request.getAttribute(IdempotencyContext.ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
		if (context == null && !parameter.isOptional()) {
			throw new IllegalStateException(parameter.getExecutable()
					+ " has an OperationSteps argument, but this request is not idempotent: annotate the method with"
					+ " @ApiIdempotent; if it is, make the argument @Nullable, for requests that are safe or need no key");
		}
		return (context != null) ? factory.of((IdempotencyContext) context) : null;
	}

}

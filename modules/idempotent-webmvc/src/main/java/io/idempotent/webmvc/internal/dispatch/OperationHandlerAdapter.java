package io.idempotent.webmvc.internal.dispatch;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import io.idempotent.webmvc.internal.key.TokenEndpoint;
import io.idempotent.webmvc.internal.operation.Operations;
import io.idempotent.webmvc.internal.submission.HandlerCall;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import io.idempotent.webmvc.internal.submission.SubmissionRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.Ordered;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.ModelAndView;

/**
 * Passes the body that was read for the fingerprint on to the handler method, in case a
 * filter serves it only once. Delegates to the adapter that Spring MVC would choose.
 * Calls the token endpoint directly.
 */
public record OperationHandlerAdapter(Operations operations,
		Supplier<List<HandlerAdapter>> adapters) implements HandlerAdapter, Ordered {

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public boolean supports(Object handler) {
		return handler instanceof HandlerMethod method
				&& (method.getBean() instanceof TokenEndpoint || this.operations.isOperation(method));
	}

	@Override
	public @Nullable ModelAndView handle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws Exception {
		HandlerMethod method = (HandlerMethod) handler;
		if (method.getBean() instanceof TokenEndpoint tokens) {
			tokens.issue(request, response, request.getParameter("operation"));
			return null;
		}
		SubmissionRequest found = SubmissionRequest.find(request);
		HttpSubmission submission = HttpSubmission.find(request);
		int status = HandlerCall.NO_STATUS;
		try {
			ModelAndView view = call(method, (found != null) ? found.forHandler(request) : request, response);
			status = (view == null) ? response.getStatus() : status;
			return view;
		}
		finally {
			if (submission != null) {
				submission.call().statusOfHandler(status);
			}
		}
	}

	/** Without the annotation there may be no proxy, which wraps what is not declared. */
	private @Nullable ModelAndView call(HandlerMethod handler, HttpServletRequest request, HttpServletResponse response)
			throws Exception {
		try {
			return original(handler).handle(request, response, handler);
		}
		catch (UndeclaredThrowableException ex) {
			throw (ex.getUndeclaredThrowable() instanceof Exception undeclared && isWrappedByProxy(ex, handler))
					? undeclared : ex;
		}
	}

	/**
	 * The method may throw such a wrapper itself, as of another proxy that it has called.
	 * Only the stack of the wrapper shows which of both has created it: the proxy of the
	 * controller, if it is further inside than the method or the method has returned.
	 */
	private static boolean isWrappedByProxy(Exception wrapper, HandlerMethod handler) {
		String proxy = handler.getBean().getClass().getName();
		String method = handler.getMethod().getDeclaringClass().getName();
		return Arrays.stream(wrapper.getStackTrace())
			.map(StackTraceElement::getClassName)
			.filter((name) -> name.equals(proxy) || name.equals(method))
			.findFirst()
			.filter(proxy::equals)
			.isPresent();
	}

	/** Abstract in Spring Framework 6, and gone in 7: unknown. */
	public long getLastModified(HttpServletRequest request, Object handler) {
		return -1;
	}

	private HandlerAdapter original(Object handler) {
		for (HandlerAdapter adapter : this.adapters.get()) {
			if (AopUtils.getTargetClass(adapter) != OperationHandlerAdapter.class && adapter.supports(handler)) {
				return adapter;
			}
		}
		throw new IllegalStateException("There is no HandlerAdapter bean for " + handler
				+ ": define one, or leave Spring MVC's RequestMappingHandlerAdapter in place");
	}

}

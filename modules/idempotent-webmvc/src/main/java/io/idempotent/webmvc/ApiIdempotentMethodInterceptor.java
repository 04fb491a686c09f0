package io.idempotent.webmvc;

import java.io.IOException;
import java.lang.reflect.Method;

import io.idempotent.support.LockedExecution;
import jakarta.servlet.http.HttpServletRequest;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Stands around the handler method, inside method security and outside transactions:
 * claims where that had to wait for the call, and notes how the call ended. A call that
 * does not come from a request to that very method passes untouched.
 */
public final class ApiIdempotentMethodInterceptor implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		HttpServletRequest request = currentRequest();
		HttpSubmission exchange = (request != null) ? exchange(request, invocation) : null;
		if (request == null || exchange == null) {
			return invocation.proceed();
		}
		if (exchange.isUndecided()) {
			exchange.entrance().decideInCall(exchange, request, invocation.getArguments());
		}
		exchange.requireRun(request);
		return proceed(exchange, invocation);
	}

	// NullAway does not see that the type of the result is a nullable one.
	@SuppressWarnings("NullAway")
	private static @Nullable Object proceed(HttpSubmission exchange, MethodInvocation invocation) throws Throwable {
		exchange.progress().begins();
		if (invocation instanceof ProxyMethodInvocation known) {
			known.setUserAttribute(HttpSubmission.ATTRIBUTE, exchange);
		}
		try {
			Object result = exchange.run(invocation.getArguments(), invocation::proceed);
			if (LockedExecution.of(invocation) instanceof LockedExecution.Skipped) {
				exchange.progress().skips();
			}
			noteReturn(exchange, result);
			return result;
		}
		catch (Throwable ex) {
			exchange.progress().fails(ex);
			throw ex;
		}
	}

	/**
	 * Decides by the value, as Spring MVC does: a method may be declared to return
	 * {@code Object}.
	 */
	private static void noteReturn(HttpSubmission exchange, @Nullable Object result) throws IOException {
		if (ReturnTypes.isStreaming(result)) {
			exchange.progress().goesOn();
			exchange.progress().returns();
			exchange.streams();
		}
		else if (ReturnTypes.isLater(result)) {
			exchange.progress().goesOn();
		}
		else {
			exchange.progress().returns();
		}
	}

	private static @Nullable HttpServletRequest currentRequest() {
		return (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)
				? attributes.getRequest() : null;
	}

	private static @Nullable HttpSubmission exchange(HttpServletRequest request, MethodInvocation invocation) {
		CachedBodyRequest wrapper = CachedBodyRequest.find(request);
		HttpSubmission exchange = (wrapper != null) ? wrapper.exchange() : null;
		if (exchange == null || !exchange.progress().mayBegin()) {
			return null;
		}
		Object target = invocation.getThis();
		Method method = (target != null) ? AopUtils.getMostSpecificMethod(invocation.getMethod(), target.getClass())
				: invocation.getMethod();
		return exchange.handledBy().method().equals(method) ? exchange : null;
	}

}

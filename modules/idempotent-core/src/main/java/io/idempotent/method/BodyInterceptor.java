package io.idempotent.method;

import io.idempotent.method.internal.call.CallExecution;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * Marks where the body of a method starts and returns, inside its transaction, which
 * decides on the operation. The result is stored with the receipt while it is open.
 */
public final class BodyInterceptor implements MethodInterceptor {

	private static final String BODY = BodyInterceptor.class.getName() + ".BODY";

	/** The invocation is that of the outer interceptor. */
	static void attach(MethodInvocation invocation, CallExecution.Body body) {
		if (invocation instanceof ProxyMethodInvocation known) {
			known.setUserAttribute(BODY, body);
		}
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		CallExecution.Body body = (invocation instanceof ProxyMethodInvocation known)
				? (CallExecution.Body) known.getUserAttribute(BODY) : null;
		if (body == null) {
			return invocation.proceed();
		}
		body.begins();
		Object result = invocation.proceed();
		body.returns(result);
		return result;
	}

}

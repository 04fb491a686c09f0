package io.idempotent.method;

import io.idempotent.method.internal.call.CallBody;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * Marks where the body of an annotated method starts and returns, inside its transaction.
 * The transactions that are open there decide on the operation, and the result is stored
 * with the receipt while they are open.
 */
public final class BodyInterceptor implements MethodInterceptor {

	private static final String BODY = BodyInterceptor.class.getName() + ".BODY";

	/**
	 * Attaches the body to an invocation.
	 * @param invocation the invocation, as the outer interceptor sees it
	 * @param body the body
	 */
	static void attach(MethodInvocation invocation, CallBody body) {
		if (invocation instanceof ProxyMethodInvocation known) {
			known.setUserAttribute(BODY, body);
		}
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		CallBody body = (invocation instanceof ProxyMethodInvocation known) ? (CallBody) known.getUserAttribute(BODY)
				: null;
		if (body == null) {
			return invocation.proceed();
		}
		body.begins();
		Object result = invocation.proceed();
		body.returns(result);
		return result;
	}

}

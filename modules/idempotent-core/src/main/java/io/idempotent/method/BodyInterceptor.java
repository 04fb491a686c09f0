package io.idempotent.method;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * Stands inside the transaction of an annotated method: marks where its body begins, so
 * that the transactions it is in decide on it, and sees its result while they are open,
 * so that it is kept with the receipt.
 */
public final class BodyInterceptor implements MethodInterceptor {

	private static final String BODY = BodyInterceptor.class.getName() + ".BODY";

	/**
	 * Says which body an invocation is to run.
	 * @param invocation the invocation, as the interceptor further outside has it
	 * @param body the body
	 */
	static void announce(MethodInvocation invocation, CallBody body) {
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
		body.results(result);
		return result;
	}

}

package io.idempotent.support;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * Marks where the body of a method begins and returns, inside its transaction, which
 * decides on the operation. An interceptor further outside says who is notified.
 */
public final class BodyInterceptor implements MethodInterceptor {

	private static final String BODY = BodyInterceptor.class.getName() + ".BODY";

	/** The invocation is that of the outer interceptor. */
	public static void attach(MethodInvocation invocation, Body body) {
		if (invocation instanceof ProxyMethodInvocation known) {
			known.setUserAttribute(BODY, body);
		}
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Body body = (invocation instanceof ProxyMethodInvocation known) ? (Body) known.getUserAttribute(BODY) : null;
		if (body == null) {
			return invocation.proceed();
		}
		body.begins();
		Object result = invocation.proceed();
		body.returns(result);
		return result;
	}

	/** Is notified while the transaction of the body is open. */
	public interface Body {

		/** Called again for each retry. */
		void begins();

		default void returns(@Nullable Object result) {
		}

	}

}

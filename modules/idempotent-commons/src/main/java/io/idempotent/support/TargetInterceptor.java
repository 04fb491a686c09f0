package io.idempotent.support;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * Marks where the target of a call, the method itself, begins and returns, inside its
 * transaction, which decides on the operation. An interceptor further outside says who is
 * notified.
 */
public final class TargetInterceptor implements MethodInterceptor {

	private static final String LISTENER = TargetInterceptor.class.getName() + ".LISTENER";

	/** The invocation is that of the outer interceptor. */
	public static void attach(MethodInvocation invocation, TargetListener listener) {
		if (invocation instanceof ProxyMethodInvocation known) {
			known.setUserAttribute(LISTENER, listener);
		}
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		TargetListener listener = (invocation instanceof ProxyMethodInvocation known)
				? (TargetListener) known.getUserAttribute(LISTENER) : null;
		if (listener == null) {
			return invocation.proceed();
		}
		listener.begins();
		Object result = invocation.proceed();
		listener.returns(result);
		return result;
	}

	/** Is notified while the transaction of the target is open. */
	public interface TargetListener {

		/** Called again for each retry. */
		void begins();

		default void returns(@Nullable Object result) {
		}

	}

}

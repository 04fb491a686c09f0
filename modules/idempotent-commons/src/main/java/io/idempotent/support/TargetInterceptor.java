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

	private static final String TARGET = TargetInterceptor.class.getName() + ".TARGET";

	/** The invocation is that of the outer interceptor. */
	public static void attach(MethodInvocation invocation, Target target) {
		if (invocation instanceof ProxyMethodInvocation known) {
			known.setUserAttribute(TARGET, target);
		}
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Target target = (invocation instanceof ProxyMethodInvocation known) ? (Target) known.getUserAttribute(TARGET)
				: null;
		if (target == null) {
			return invocation.proceed();
		}
		target.begins();
		Object result = invocation.proceed();
		target.returns(result);
		return result;
	}

	/** Is notified while the transaction of the target is open. */
	public interface Target {

		/** Called again for each retry. */
		void begins();

		default void returns(@Nullable Object result) {
		}

	}

}

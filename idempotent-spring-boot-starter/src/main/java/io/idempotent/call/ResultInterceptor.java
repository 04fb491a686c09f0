package io.idempotent.call;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Stands inside the transaction of an annotated method, so that its result is kept with
 * the receipt: one that is committed with the effect can be replayed whatever comes
 * after.
 */
public final class ResultInterceptor implements MethodInterceptor {

	private final Calls calls;

	/**
	 * Creates the interceptor.
	 * @param calls runs the methods
	 */
	public ResultInterceptor(Calls calls) {
		this.calls = calls;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object result = invocation.proceed();
		this.calls.results(result);
		return result;
	}

}

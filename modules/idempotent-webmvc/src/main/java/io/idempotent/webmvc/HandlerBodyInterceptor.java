package io.idempotent.webmvc;

import io.idempotent.transaction.TransactionScope;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * Stands inside the transaction of a handler method: marks where its body begins, so that
 * the transactions that are open there decide on it. Needs spring-tx.
 */
public final class HandlerBodyInterceptor implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		if (invocation instanceof ProxyMethodInvocation known
				&& known.getUserAttribute(HttpSubmission.ATTRIBUTE) instanceof HttpSubmission exchange) {
			TransactionScope scope = TransactionScope.current();
			exchange.beginsWithin(scope::outcome);
		}
		return invocation.proceed();
	}

}

package io.idempotent.webmvc.internal.dispatch;

import io.idempotent.transaction.TransactionScope;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * Surrounds the handler method inside its transaction, and marks where its body starts:
 * the transactions that are open there decide whether the operation took effect.
 */
public final class HandlerBodyInterceptor implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		if (invocation instanceof ProxyMethodInvocation proxied
				&& proxied.getUserAttribute(HttpSubmission.ATTRIBUTE) instanceof HttpSubmission submission) {
			submission.bodyStarted(TransactionScope.current());
		}
		return invocation.proceed();
	}

}

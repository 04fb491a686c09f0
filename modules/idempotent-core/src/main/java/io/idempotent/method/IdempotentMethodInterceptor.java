package io.idempotent.method;

import io.idempotent.method.IdempotentMethods.IdempotentMethod;
import io.idempotent.method.internal.call.CallExecutor;
import io.idempotent.submission.claim.Submission;
import io.idempotent.support.KeyExpression;
import io.idempotent.support.LockedExecution;
import io.idempotent.support.TargetInterceptor;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Runs an annotated method once for each key.
 */
public record IdempotentMethodInterceptor(IdempotentMethods methods) implements MethodInterceptor {

	@Override
	@SuppressWarnings("NullAway") // takes the result of the lambda for non-null
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object bean = invocation.getThis();
		Class<?> type = (bean != null) ? bean.getClass() : invocation.getMethod().getDeclaringClass();
		IdempotentMethod method = this.methods.of(invocation.getMethod(), type);
		if (!method.appliesTo(invocation.getArguments())) {
			return invocation.proceed();
		}
		CallExecutor calls = this.methods.calls();
		Submission keyed = method.key().submission(method.operation(), invocation.getArguments(), calls);
		KeyExpression comparison = method.comparison();
		Submission submission = (comparison != null)
				? calls.comparing(keyed, comparison.evaluate(invocation.getArguments())) : keyed;
		ResultRecovery recoverer = method.recoverer();
		return calls.run(method.operation(), submission,
				(recoverer == null) ? () -> null
						: () -> recoverer.recover(submission.key(), submission.keyValue(), invocation.getArguments()),
				(call) -> {
					this.methods.entered(call.context(), invocation.getArguments());
					TargetInterceptor.attach(invocation, call);
					try {
						return invocation.proceed();
					}
					finally {
						call.executed(LockedExecution.of(invocation));
					}
				});
	}

}

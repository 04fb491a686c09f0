package io.idempotent.method;

import io.idempotent.engine.Submission;
import io.idempotent.support.LockedExecution;
import io.idempotent.support.KeyExpression;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;

/**
 * Runs an annotated method once for each key.
 */
public final class IdempotentInterceptor implements MethodInterceptor {

	private static final Log logger = LogFactory.getLog(IdempotentInterceptor.class);

	private final IdempotentMethods methods;

	private final CallExecutor calls;

	/**
	 * Creates the interceptor.
	 * @param methods the annotated methods
	 * @param calls runs them
	 */
	public IdempotentInterceptor(IdempotentMethods methods, CallExecutor calls) {
		this.methods = methods;
		this.calls = calls;
	}

	@Override
	@SuppressWarnings("NullAway") // takes the result of the lambda for non-null
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> type = (target != null) ? target.getClass() : invocation.getMethod().getDeclaringClass();
		IdempotentMethod method = this.methods.of(invocation.getMethod(), type);
		if (!method.appliesTo(invocation.getArguments())) {
			return invocation.proceed();
		}
		CallOperation operation = method.operation();
		Object content = content(operation, method.key(), invocation.getArguments());
		Submission submission = this.calls.submission(operation, content);
		ResultRecovery recoverer = method.recoverer();
		return this.calls.run(operation, submission,
				() -> (recoverer != null)
						? recoverer.recover(submission.key(), submission.keyValue(), invocation.getArguments()) : null,
				(body) -> {
					BodyInterceptor.attach(invocation, body);
					try {
						return invocation.proceed();
					}
					finally {
						body.executed(LockedExecution.of(invocation));
					}
				});
	}

	private static @Nullable Object content(CallOperation operation, KeyExpression key, @Nullable Object[] arguments) {
		try {
			return key.evaluate(arguments);
		}
		catch (EvaluationException ex) {
			key.logFailure(logger, operation.name(), ex);
			return null;
		}
	}

}

package io.idempotent.webmvc.internal.dispatch;

import java.lang.reflect.Method;
import java.util.concurrent.Callable;

import io.idempotent.submission.DecidedSubmission;
import io.idempotent.support.LockedExecution;
import io.idempotent.webmvc.internal.operation.ReturnTypes;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import jakarta.servlet.http.HttpServletRequest;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Surrounds the handler method, inside method security and outside transactions. It
 * claims the key if the claim had to wait for the call, and records how the call ended. A
 * call that is not the handling of a request to this method is passed on unchanged.
 */
public final class ApiIdempotentMethodInterceptor implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		HttpServletRequest request = currentRequest();
		HttpSubmission submission = (request != null) ? submission(request, invocation) : null;
		if (request == null || submission == null) {
			return invocation.proceed();
		}
		DecidedSubmission decided = submission.enterCall(request, invocation.getArguments());
		return (decided != null) ? run(decided, submission, request, invocation) : invocation.proceed();
	}

	@SuppressWarnings("NullAway") // misses the nullable result
	private static @Nullable Object run(DecidedSubmission decided, HttpSubmission submission,
			HttpServletRequest request, MethodInvocation invocation) throws Throwable {
		try {
			Object result = decided.run(
					(kept) -> submission.replay().recover(decided, kept, request, invocation.getArguments()),
					() -> call(decided, submission, invocation));
			submission.call().methodReturned(decided, result, LockedExecution.of(invocation));
			if (ReturnTypes.isAsynchronous(result)) {
				submission.task().observe(request, result);
			}
			return result;
		}
		catch (Throwable ex) {
			if (ex instanceof Error && LockedExecution.of(invocation) instanceof LockedExecution.Returned) {
				submission.call().effectUnknown();
			}
			submission.call().failed(ex);
			throw ex;
		}
	}

	/** A {@link Callable} continues the operation on another thread of Spring MVC. */
	@SuppressWarnings("NullAway")
	private static @Nullable Object call(DecidedSubmission decided, HttpSubmission submission,
			MethodInvocation invocation) throws Throwable {
		Object result = decided.proceed(invocation);
		if (!(result instanceof Callable<?> task) || !ReturnTypes.isCallable(submission.operation().method(), task)) {
			return result;
		}
		return (Callable<@Nullable Object>) () -> {
			Object value = decided.<Exception>resume(
					(kept) -> submission.replay().recover(decided, kept, null, invocation.getArguments()), task::call);
			// A recovered result has the type that the method returns.
			return (value instanceof Callable<?> recovered) ? recovered.call() : value;
		};
	}

	private static @Nullable HttpServletRequest currentRequest() {
		return (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)
				? attributes.getRequest() : null;
	}

	private static @Nullable HttpSubmission submission(HttpServletRequest request, MethodInvocation invocation) {
		HttpSubmission submission = HttpSubmission.find(request);
		if (submission == null || !submission.call().mayStart()) {
			return null;
		}
		Object target = invocation.getThis();
		Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(),
				(target != null) ? target.getClass() : null);
		return submission.operation().method().equals(method) ? submission : null;
	}

}

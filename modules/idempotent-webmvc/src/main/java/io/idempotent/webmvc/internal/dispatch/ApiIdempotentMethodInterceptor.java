package io.idempotent.webmvc.internal.dispatch;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;

import io.idempotent.submission.DecidedSubmission;
import io.idempotent.submission.Decision;
import io.idempotent.submission.OperationRun;
import io.idempotent.support.LockedExecution;
import io.idempotent.transaction.TransactionScope;
import io.idempotent.webmvc.internal.operation.ReturnTypes;
import io.idempotent.webmvc.internal.submission.HttpReplay.ReplayException;
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
		if (request == null || submission == null || !submission.appliesTo(invocation.getArguments())) {
			return invocation.proceed();
		}
		DecidedSubmission decided = submission.enterCall(request, invocation.getArguments());
		if (decided.decision() instanceof Decision.Replay) {
			throw new ReplayException();
		}
		return proceed(decided, submission, request, invocation);
	}

	@SuppressWarnings("NullAway") // misses the nullable result
	private static @Nullable Object proceed(DecidedSubmission decided, HttpSubmission submission,
			HttpServletRequest request, MethodInvocation invocation) throws Throwable {
		submission.progress().started();
		try {
			Object result = decided.run(
					(kept) -> submission.replay().recover(decided, kept, request, invocation.getArguments()),
					(run) -> call(run, decided, submission, invocation));
			if (LockedExecution.of(invocation) instanceof LockedExecution.Skipped) {
				submission.progress().skipped();
			}
			else {
				noteReturn(decided, submission, result);
			}
			decided.observeThrown(null);
			return result;
		}
		catch (Throwable ex) {
			if (ex instanceof Error && LockedExecution.of(invocation) instanceof LockedExecution.Returned) {
				submission.progress().effectUnknown();
			}
			submission.threw(ex);
			throw ex;
		}
	}

	/** A {@link Callable} continues the operation on another thread of Spring MVC. */
	@SuppressWarnings("NullAway")
	private static @Nullable Object call(OperationRun run, DecidedSubmission decided, HttpSubmission submission,
			MethodInvocation invocation) throws Throwable {
		Object result = run.proceed(invocation);
		if (!(result instanceof Callable<?> task) || !ReturnTypes.isCallable(submission.operation().method(), task)) {
			return result;
		}
		return (Callable<@Nullable Object>) () -> {
			Object value = run.<Exception>resume(
					(kept) -> submission.replay().recover(decided, kept, null, invocation.getArguments()), task::call);
			// A recovered result has the type that the method returns.
			return (value instanceof Callable<?> recovered) ? recovered.call() : value;
		};
	}

	/**
	 * By the value, as Spring MVC does: the declared type may be {@code Object}. Work
	 * that goes on outside its transactions does not depend on their outcome.
	 */
	private static void noteReturn(DecidedSubmission decided, HttpSubmission submission, @Nullable Object result)
			throws IOException {
		if (ReturnTypes.isStreaming(result)) {
			decided.within(TransactionScope.NONE);
			submission.progress().returned();
			submission.response().passThrough();
		}
		else if (ReturnTypes.isAsynchronous(result)) {
			decided.within(TransactionScope.NONE);
		}
		else {
			submission.progress().returned();
		}
	}

	private static @Nullable HttpServletRequest currentRequest() {
		return (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)
				? attributes.getRequest() : null;
	}

	private static @Nullable HttpSubmission submission(HttpServletRequest request, MethodInvocation invocation) {
		HttpSubmission submission = HttpSubmission.find(request);
		if (submission == null || !submission.progress().mayStart()) {
			return null;
		}
		Object target = invocation.getThis();
		Method method = (target != null) ? AopUtils.getMostSpecificMethod(invocation.getMethod(), target.getClass())
				: invocation.getMethod();
		return submission.operation().method().equals(method) ? submission : null;
	}

}

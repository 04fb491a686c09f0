package io.idempotent.webmvc.internal.dispatch;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;

import io.idempotent.engine.Decision;
import io.idempotent.engine.SubmissionObservation;
import io.idempotent.method.OperationExecution;
import io.idempotent.support.LockedExecution;
import io.idempotent.webmvc.internal.operation.MethodSecurity.OperationAdvice;
import io.idempotent.webmvc.internal.operation.ReturnTypes;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import jakarta.servlet.http.HttpServletRequest;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Surrounds the handler method, inside method security and outside transactions. It
 * claims the key where that had to wait for the call, and notes how the call ended. A
 * call that is not the handling of a request to this method is passed on unchanged.
 */
public final class ApiIdempotentMethodInterceptor implements OperationAdvice {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		HttpServletRequest request = currentRequest();
		HttpSubmission submission = (request != null) ? submission(request, invocation) : null;
		if (request == null || submission == null || !submission.appliesTo(invocation.getArguments())) {
			return invocation.proceed();
		}
		Decision decision = submission.decideInCall(request, invocation.getArguments());
		return proceed(submission, decision, invocation);
	}

	// NullAway does not see that the type of the result is a nullable one. The scope ends
	// with the block.
	@SuppressWarnings({ "NullAway", "try" })
	private static @Nullable Object proceed(HttpSubmission submission, Decision decision, MethodInvocation invocation)
			throws Throwable {
		submission.progress().started();
		if (invocation instanceof ProxyMethodInvocation proxied) {
			proxied.setUserAttribute(HttpSubmission.ATTRIBUTE, submission);
		}
		try (SubmissionObservation.Scope scope = submission.openScope()) {
			OperationExecution execution = submission.execution(invocation.getArguments());
			Object result = execution.execute(decision, () -> {
				submission.codeStarted();
				return resumable(invocation.proceed(), submission, execution, decision);
			});
			if (LockedExecution.of(invocation) instanceof LockedExecution.Skipped) {
				submission.progress().skipped();
			}
			else {
				noteReturn(submission, result);
			}
			submission.returned();
			return result;
		}
		catch (Throwable ex) {
			submission.failed(ex);
			throw ex;
		}
	}

	/**
	 * A {@link Callable} that Spring MVC will run on another thread continues the
	 * operation there.
	 */
	@SuppressWarnings({ "NullAway", "try" })
	private static @Nullable Object resumable(@Nullable Object result, HttpSubmission submission,
			OperationExecution execution, Decision decision) {
		if (!(result instanceof Callable<?> task) || !ReturnTypes.isCallable(submission.operation().method(), task)) {
			return result;
		}
		return (Callable<@Nullable Object>) () -> {
			try (SubmissionObservation.Scope scope = submission.openScope()) {
				Object value = execution.<Exception>resume(decision, task::call);
				// A recovered result has the type that the method returns.
				return (value instanceof Callable<?> recovered) ? recovered.call() : value;
			}
		};
	}

	/**
	 * Decides by the value, as Spring MVC does, since a method may be declared to return
	 * {@code Object}.
	 */
	private static void noteReturn(HttpSubmission submission, @Nullable Object result) throws IOException {
		if (ReturnTypes.isStreaming(result)) {
			submission.progress().continuesAsynchronously();
			submission.progress().returned();
			submission.response().stream();
		}
		else if (ReturnTypes.isAsynchronous(result)) {
			submission.progress().continuesAsynchronously();
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

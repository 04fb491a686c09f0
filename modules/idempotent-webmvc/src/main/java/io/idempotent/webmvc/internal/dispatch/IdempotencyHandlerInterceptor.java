package io.idempotent.webmvc.internal.dispatch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.IdempotencyContext;
import io.idempotent.support.AdvisorOrder;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.operation.Operations;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import io.idempotent.webmvc.internal.submission.SubmissionReader.ReadRequest;
import io.idempotent.webmvc.internal.submission.SubmissionRequest;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.validation.Errors;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/**
 * Claims the key before the arguments of the handler method are bound, and answers
 * duplicates without calling the method. A claim that needs the arguments or follows
 * method security is left to the {@link ApiIdempotentMethodInterceptor}.
 */
public final class IdempotencyHandlerInterceptor implements HandlerInterceptor {

	private static final Log logger = LogFactory.getLog(IdempotencyHandlerInterceptor.class);

	private final Operations operations;

	private final HttpSubmission.HttpServices services;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	public IdempotencyHandlerInterceptor(Operations operations, HttpSubmission.HttpServices services) {
		this.operations = operations;
		this.services = services;
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws Exception {
		Operation operation = this.operations.find(handler, request);
		if (operation == null) {
			return true;
		}
		SubmissionRequest submissionRequest = SubmissionRequest.find(request);
		if (submissionRequest == null) {
			throw new IllegalStateException("Operation '" + operation.name() + "' was called without the idempotency "
					+ "filter, through the servlet '" + request.getHttpServletMapping().getServletName()
					+ "': map the filter to this servlet as well; an error page cannot be an operation; a test that builds "
					+ "MockMvc adds the filter by addFilters");
		}
		HttpSubmission present = submissionRequest.submission();
		WebAsyncManager asyncManager = WebAsyncUtils.getAsyncManager(request);
		if (present != null && asyncManager.hasConcurrentResult()) {
			present.call().resultDispatched(asyncManager.getConcurrentResult(), request);
			return true;
		}
		// An include is a part of the response.
		if (present != null
				&& (!present.call().isUnprotected() || request.getDispatcherType() == DispatcherType.INCLUDE)) {
			if (!present.operation().equals(operation)) {
				warnOnce("Operation '" + operation.name() + "' runs within the request of operation '"
						+ present.operation().name() + "', for example by a forward, and is protected only as a part "
						+ "of it: if that fails, is refused or does not apply, each repeat runs it again. "
						+ "Remove one of the annotations. Further calls are not logged");
			}
			return true;
		}
		return this.services.reader().isWithoutKey(operation, request) || begin(operation, request, submissionRequest);
	}

	/** Looks at what aspects around the method have done, and at the form it shows. */
	@Override
	public void postHandle(HttpServletRequest request, HttpServletResponse response, Object handler,
			@Nullable ModelAndView view) {
		HttpSubmission submission = HttpSubmission.find(request);
		if (submission == null) {
			return;
		}
		// Not an include or forward within the handler method.
		boolean own = submission.operation().equals(this.operations.find(handler, request));
		String operation = submission.operation().name();
		if (own && !request.isAsyncStarted()) {
			if (submission.call().isUnclaimed()) {
				warnOnce("Operation '" + operation
						+ "' was answered without a claim of its key. If an aspect called its "
						+ "method on another thread than that of the request, repeats run again: give the aspect an "
						+ "order greater than " + AdvisorOrder.IDEMPOTENCY + ". Further calls are not logged");
			}
			submission.call().postHandle(request);
		}
		if (view != null && response.getStatus() == HttpServletResponse.SC_OK && hasErrors(view)) {
			submission.context().expectNoReceipt();
			if (own) {
				warnOnce("Operation '" + operation + "' has shown a form again with errors and status 200, so "
						+ "that it counts as completed: corrected entries are refused with the same token, and another "
						+ "submission with a new one. Let the handler method set the status 422 where it finds errors");
			}
		}
	}

	private void warnOnce(String message) {
		if (this.warned.add(message)) {
			logger.warn(message);
		}
	}

	private static boolean hasErrors(ModelAndView view) {
		return view.getModel()
			.values()
			.stream()
			.anyMatch((value) -> value instanceof Errors errors && errors.hasErrors());
	}

	private boolean begin(Operation operation, HttpServletRequest request, SubmissionRequest submissionRequest)
			throws ServletException {
		if (submissionRequest.submission() != null) {
			submissionRequest.response().beginAnew();
		}
		ReadRequest read = this.services.reader().read(operation, request, submissionRequest);
		HttpSubmission submission = HttpSubmission.of(operation, read, submissionRequest, this.services);
		submissionRequest.submit(submission);
		request.setAttribute(IdempotencyContext.ATTRIBUTE, submission.context());
		if (operation.claimsInCall()) {
			// Before arguments are bound, since one may be the response's stream.
			submission.response().startBuffering(this.services.settings().maxResponseBody());
			return true;
		}
		submission.decide(request);
		return !submission.replay().write(request);
	}

}

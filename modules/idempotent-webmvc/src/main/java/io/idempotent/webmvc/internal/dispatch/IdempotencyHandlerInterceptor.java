package io.idempotent.webmvc.internal.dispatch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.IdempotencyContext;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.operation.Operations;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import io.idempotent.webmvc.internal.submission.SubmissionReader.ReadRequest;
import io.idempotent.webmvc.internal.submission.SubmissionRequest;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServletServerHttpRequest;
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
					+ "': map the filter to this servlet as well; a test that builds MockMvc adds it by addFilters");
		}
		HttpSubmission submission = submissionRequest.submission();
		if (submission != null) {
			WebAsyncManager asyncManager = WebAsyncUtils.getAsyncManager(request);
			// An include or forward within the handler method has no result.
			if (asyncManager.hasConcurrentResult()) {
				submission.resumed(asyncManager.getConcurrentResult(), request);
			}
			return true;
		}
		return this.services.reader().isWithoutKey(operation, request) || begin(operation, request, submissionRequest);
	}

	/** Warns of a form shown again with a success status: its token is used up. */
	@Override
	public void postHandle(HttpServletRequest request, HttpServletResponse response, Object handler,
			@Nullable ModelAndView view) {
		if (view != null && response.getStatus() == HttpServletResponse.SC_OK && hasErrors(view)) {
			HttpSubmission submission = HttpSubmission.find(request);
			if (submission != null) {
				submission.context().expectNoReceipt();
			}
			Operation operation = this.operations.find(handler, request);
			if (operation != null && this.warned.add(operation.name())) {
				logger.warn("Operation '" + operation.name()
						+ "' has shown a form again with errors and status 200, so "
						+ "that it counts as completed: corrected entries are refused with the same token, and another "
						+ "submission with a new one. Let the handler method set the status 422 where it finds errors");
			}
		}
	}

	private static boolean hasErrors(ModelAndView view) {
		return view.getModel()
			.values()
			.stream()
			.anyMatch((value) -> value instanceof Errors errors && errors.hasErrors());
	}

	private boolean begin(Operation operation, HttpServletRequest request, SubmissionRequest submissionRequest)
			throws IOException, ServletException {
		ReadRequest read = read(operation, request, submissionRequest);
		DeferredResponse response = submissionRequest.response();
		HttpSubmission submission = new HttpSubmission(operation, read, response, this.services);
		submissionRequest.submit(submission);
		request.setAttribute(IdempotencyContext.ATTRIBUTE, submission.context());
		if (operation.claimsInCall()) {
			// Before arguments are bound, since one may be the response's stream.
			response.startBuffering(this.services.settings().maxResponseBody());
			return true;
		}
		submission.decide(request);
		return !submission.replay().write(request);
	}

	private ReadRequest read(Operation operation, HttpServletRequest request, SubmissionRequest submissionRequest)
			throws ServletException {
		try {
			return this.services.reader().read(operation, request, submissionRequest);
		}
		catch (IOException | UncheckedIOException ex) {
			throw new HttpMessageNotReadableException(
					"The request body of operation '" + operation.name()
							+ "' could not be read to its end: the client has probably disconnected",
					ex, new ServletServerHttpRequest(request));
		}
	}

}

package io.idempotent.webmvc.internal.dispatch;

import java.io.IOException;

import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import io.idempotent.webmvc.internal.submission.SubmissionRequest;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.util.WebUtils;

/**
 * Wraps request and response, and finishes the {@link HttpSubmission} that a handler
 * method may have started. Requests to other endpoints pass through the wrappers
 * unchanged.
 */
public final class IdempotencyFilter implements Filter {

	private static final String SUSPENDED = IdempotencyFilter.class.getName() + ".SUSPENDED";

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		if (!(request instanceof HttpServletRequest httpRequest)
				|| !(response instanceof HttpServletResponse httpResponse)) {
			chain.doFilter(request, response);
			return;
		}
		SubmissionRequest present = SubmissionRequest.find(httpRequest);
		if (present != null) {
			handle(present, httpRequest, httpResponse, chain);
			return;
		}
		SubmissionRequest suspended = suspended(httpRequest);
		if (suspended != null) {
			boolean wrapped = WebUtils.getNativeResponse(httpResponse, DeferredResponse.class) != null;
			handle(suspended, suspended, wrapped ? httpResponse : suspended.response(), chain);
			return;
		}
		DeferredResponse deferredResponse = new DeferredResponse(httpResponse);
		SubmissionRequest submissionRequest = new SubmissionRequest(httpRequest, deferredResponse);
		handle(submissionRequest, submissionRequest, deferredResponse, chain);
	}

	/**
	 * MockMvc dispatches an asynchronous request without its wrappers, as containers do
	 * if it was started without arguments.
	 */
	private static @Nullable SubmissionRequest suspended(HttpServletRequest request) {
		return (request.getDispatcherType() == DispatcherType.ASYNC)
				? (SubmissionRequest) request.getAttribute(SUSPENDED) : null;
	}

	private static void handle(SubmissionRequest submissionRequest, HttpServletRequest request,
			HttpServletResponse response, FilterChain chain) throws IOException, ServletException {
		try {
			chain.doFilter(request, response);
		}
		catch (Throwable ex) {
			HttpSubmission submission = submissionRequest.submission();
			if (submission != null) {
				if (request.isAsyncStarted()) {
					// A filter failed, or the container. The operation may still run.
					submission.progress().leftRunning();
				}
				submission.finish(submissionRequest, ex);
			}
			throw ex;
		}
		HttpSubmission submission = submissionRequest.submission();
		if (submission == null) {
			return;
		}
		if (request.isAsyncStarted()) {
			finishWhenComplete(submission, submissionRequest, request);
		}
		else {
			// Nobody waits for a result, as with a reason in @ResponseStatus.
			submission.progress().returned();
			submission.finish(submissionRequest, null);
		}
	}

	private static void finishWhenComplete(HttpSubmission submission, SubmissionRequest submissionRequest,
			HttpServletRequest request) throws IOException {
		try {
			if (!WebAsyncUtils.getAsyncManager(request).isConcurrentHandlingStarted()) {
				// The handler method uses its own AsyncContext: containers may complete
				// the response before the listener is called.
				submission.response().pass();
			}
			request.setAttribute(SUSPENDED, submissionRequest);
			request.getAsyncContext().addListener(new FinishingListener(submission, submissionRequest));
		}
		catch (Throwable ex) {
			// Without a listener, nothing else would end the claim.
			submission.progress().leftRunning();
			submission.finish(submissionRequest, ex);
			throw ex;
		}
	}

	/** For asynchronous processing that ends without a dispatch, times out or fails. */
	private record FinishingListener(HttpSubmission submission, HttpServletRequest request) implements AsyncListener {

		@Override
		public void onComplete(AsyncEvent event) throws IOException {
			this.submission.finish(this.request, null);
		}

		@Override
		public void onTimeout(AsyncEvent event) {
			this.submission.progress().timedOut();
		}

		@Override
		public void onError(AsyncEvent event) {
			this.submission.progress().timedOut();
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
			event.getAsyncContext().addListener(this);
		}

	}

}

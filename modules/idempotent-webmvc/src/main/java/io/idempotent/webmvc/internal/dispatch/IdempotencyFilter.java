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

import org.springframework.web.context.request.async.WebAsyncManager;
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
		// MockMvc dispatches an asynchronous request without its wrappers, and so do
		// containers if it was started without arguments.
		if (httpRequest.getDispatcherType() == DispatcherType.ASYNC
				&& httpRequest.getAttribute(SUSPENDED) instanceof SubmissionRequest suspended) {
			boolean wrapped = WebUtils.getNativeResponse(httpResponse, DeferredResponse.class) != null;
			handle(suspended, suspended, wrapped ? httpResponse : suspended.response(), chain);
			return;
		}
		DeferredResponse deferredResponse = new DeferredResponse(httpResponse);
		SubmissionRequest submissionRequest = new SubmissionRequest(httpRequest, deferredResponse);
		handle(submissionRequest, submissionRequest, deferredResponse, chain);
	}

	private static void handle(SubmissionRequest submissionRequest, HttpServletRequest request,
			HttpServletResponse response, FilterChain chain) throws IOException, ServletException {
		try {
			chain.doFilter(request, response);
			HttpSubmission submission = submissionRequest.submission();
			if (submission != null) {
				handled(submission, submissionRequest, request);
			}
		}
		catch (Throwable ex) {
			HttpSubmission submission = submissionRequest.submission();
			if (submission != null) {
				WebAsyncManager asyncManager = WebAsyncUtils.getAsyncManager(request);
				if (request.isAsyncStarted()) {
					failed(submission, submissionRequest, asyncManager, ex);
				}
				else {
					finish(submission, submissionRequest, asyncManager, ex);
				}
			}
			throw ex;
		}
	}

	private static void handled(HttpSubmission submission, SubmissionRequest submissionRequest,
			HttpServletRequest request) throws IOException {
		WebAsyncManager asyncManager = WebAsyncUtils.getAsyncManager(request);
		submission.call().left(submission.response().getStatus());
		if (request.isAsyncStarted()) {
			finishWhenComplete(submission, submissionRequest, request, asyncManager);
			return;
		}
		if (request.getDispatcherType() != DispatcherType.ASYNC) {
			// As with a reason in @ResponseStatus.
			submission.call().awaitsNoResult();
		}
		finish(submission, submissionRequest, asyncManager, null);
	}

	private static void finishWhenComplete(HttpSubmission submission, SubmissionRequest submissionRequest,
			HttpServletRequest request, WebAsyncManager asyncManager) throws IOException {
		try {
			if (!asyncManager.isConcurrentHandlingStarted()) {
				// The handler method uses its own AsyncContext: containers may complete
				// the response before the listener is called.
				submission.response().passThrough();
			}
			request.setAttribute(SUSPENDED, submissionRequest);
			request.getAsyncContext().addListener(new FinishingListener(submission, submissionRequest, asyncManager));
		}
		catch (Throwable ex) {
			// Nothing else would end the claim.
			submission.call().leftRunning();
			throw ex;
		}
	}

	/**
	 * A filter failed, or the container, while a result was awaited. If there is one, the
	 * page of the error may have taken it, and it may never be dispatched.
	 */
	private static void failed(HttpSubmission submission, HttpServletRequest request, WebAsyncManager asyncManager,
			Throwable thrown) throws IOException {
		if (submission.call().abandon()) {
			submission.call().requestFailed();
			finish(submission, request, asyncManager, thrown);
		}
	}

	/**
	 * Spring MVC takes the result of an asynchronous operation when it handles its
	 * dispatch. If the result is still there, something else has answered the dispatch.
	 */
	private static void finish(HttpSubmission submission, HttpServletRequest request, WebAsyncManager asyncManager,
			@Nullable Throwable thrown) throws IOException {
		if (asyncManager.hasConcurrentResult()) {
			submission.call().answeredByOthers(asyncManager.getConcurrentResult());
		}
		else if (thrown == null) {
			submission.call().leftRunning();
		}
		submission.finish(request, thrown);
	}

	/**
	 * For asynchronous processing that ends without a dispatch to the filter, times out
	 * or fails. Spring MVC removes the manager from a request that is complete.
	 */
	private record FinishingListener(HttpSubmission submission, HttpServletRequest request,
			WebAsyncManager asyncManager) implements AsyncListener {

		@Override
		public void onComplete(AsyncEvent event) throws IOException {
			if (this.submission.call().abandon()) {
				IdempotencyFilter.finish(this.submission, this.request, this.asyncManager, null);
			}
		}

		@Override
		public void onTimeout(AsyncEvent event) {
			this.submission.call().timedOut();
		}

		@Override
		public void onError(AsyncEvent event) throws IOException {
			Throwable thrown = event.getThrowable();
			if (thrown == null || thrown instanceof IOException) {
				// The client is gone.
				this.submission.call().timedOut();
			}
			else {
				// Tomcat does not complete the request.
				IdempotencyFilter.failed(this.submission, this.request, this.asyncManager, thrown);
			}
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
			event.getAsyncContext().addListener(this);
		}

	}

}

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
 * method may have started. Requests to other endpoints pass unchanged.
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
		SubmissionRequest wrapper = new SubmissionRequest(httpRequest, new DeferredResponse(httpResponse));
		handle(wrapper, wrapper, wrapper.response(), chain);
	}

	private static void handle(SubmissionRequest submissionRequest, HttpServletRequest request,
			HttpServletResponse response, FilterChain chain) throws IOException, ServletException {
		try {
			chain.doFilter(request, response);
			RequestEnd end = RequestEnd.find(submissionRequest, request);
			if (end != null) {
				end.afterChain(request);
			}
		}
		catch (Throwable ex) {
			RequestEnd end = RequestEnd.find(submissionRequest, request);
			if (end != null) {
				end.end(ex, request.isAsyncStarted());
			}
			throw ex;
		}
	}

	/**
	 * The end of a request: after the filter chain or, if a result is awaited then, when
	 * its dispatch has passed the chain. Listens for what ends it without a dispatch to
	 * the filter. Spring MVC removes the manager from a request that is complete.
	 */
	private record RequestEnd(HttpSubmission submission, SubmissionRequest request,
			WebAsyncManager asyncManager) implements AsyncListener {

		static @Nullable RequestEnd find(SubmissionRequest request, HttpServletRequest current) {
			HttpSubmission submission = request.submission();
			return (submission != null) ? new RequestEnd(submission, request, WebAsyncUtils.getAsyncManager(current))
					: null;
		}

		void afterChain(HttpServletRequest current) throws IOException {
			this.submission.call().statusAfterFilters(this.submission.response().getStatus());
			if (current.isAsyncStarted()) {
				awaitResult(current);
				return;
			}
			if (current.getDispatcherType() != DispatcherType.ASYNC) {
				// As with a reason in @ResponseStatus.
				this.submission.call().returned();
			}
			end(null, false);
		}

		private void awaitResult(HttpServletRequest current) throws IOException {
			try {
				if (!this.asyncManager.isConcurrentHandlingStarted()) {
					// The handler method uses its own AsyncContext: containers may
					// complete the response before the listener is called.
					this.submission.response().passThrough();
				}
				current.setAttribute(SUSPENDED, this.request);
				current.getAsyncContext().addListener(this);
			}
			catch (Throwable ex) {
				// Nothing else would end the claim.
				this.submission.call().endedWithoutResult();
				throw ex;
			}
		}

		/**
		 * Ends the submission, or leaves that to a {@code Callable} that still runs. If
		 * Spring MVC has not taken an asynchronous result, which it does when it handles
		 * its dispatch, something else has answered, or will.
		 * @param awaited whether asynchronous processing has not ended by a dispatch
		 */
		void end(@Nullable Throwable thrown, boolean awaited) throws IOException {
			HttpSubmission present = this.request.submission();
			if (present == null || present.call() != this.submission.call()) {
				// A forward has begun another one, which this one does not end.
				return;
			}
			if (awaited && this.submission.task().abandonIfRunning()) {
				return;
			}
			if (awaited && thrown != null) {
				this.submission.task().requestFailed();
			}
			if (this.asyncManager.hasConcurrentResult()) {
				this.submission.call().resultNotDispatched(this.asyncManager.getConcurrentResult());
			}
			else if (thrown == null) {
				this.submission.call().endedWithoutResult();
			}
			this.submission.finish(this.request, thrown);
		}

		@Override
		public void onComplete(AsyncEvent event) throws IOException {
			end(null, true);
		}

		@Override
		public void onTimeout(AsyncEvent event) {
			this.submission.call().noLongerAwaited();
		}

		@Override
		public void onError(AsyncEvent event) throws IOException {
			Throwable thrown = event.getThrowable();
			if (thrown == null || thrown instanceof IOException) {
				// The client is gone.
				this.submission.call().noLongerAwaited();
			}
			else {
				// Tomcat does not complete the request.
				end(thrown, true);
			}
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
			event.getAsyncContext().addListener(this);
		}

	}

}

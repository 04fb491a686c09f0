package io.idempotent.webmvc.internal.dispatch;

import java.io.IOException;

import io.idempotent.webmvc.internal.request.CachedBodyRequest;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
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
		CachedBodyRequest present = CachedBodyRequest.find(httpRequest);
		if (present != null) {
			handle(present, httpRequest, httpResponse, chain);
			return;
		}
		CachedBodyRequest suspended = suspended(httpRequest);
		if (suspended != null) {
			boolean wrapped = WebUtils.getNativeResponse(httpResponse, DeferredResponse.class) != null;
			handle(suspended, suspended, wrapped ? httpResponse : suspended.response(), chain);
			return;
		}
		DeferredResponse deferredResponse = new DeferredResponse(httpResponse);
		CachedBodyRequest cachedRequest = new CachedBodyRequest(httpRequest, deferredResponse);
		handle(cachedRequest, cachedRequest, deferredResponse, chain);
	}

	/**
	 * MockMvc dispatches an asynchronous request without its wrappers, as containers do
	 * if it was started without arguments.
	 */
	private static @Nullable CachedBodyRequest suspended(HttpServletRequest request) {
		return (request.getDispatcherType() == DispatcherType.ASYNC)
				? (CachedBodyRequest) request.getAttribute(SUSPENDED) : null;
	}

	private static void handle(CachedBodyRequest cachedRequest, HttpServletRequest request,
			HttpServletResponse response, FilterChain chain) throws IOException, ServletException {
		try {
			chain.doFilter(request, response);
		}
		catch (Throwable ex) {
			HttpSubmission submission = HttpSubmission.find(request);
			if (submission != null) {
				if (request.isAsyncStarted()) {
					// A filter failed, or the container. The operation may still run.
					submission.progress().leftRunning();
				}
				submission.finish(cachedRequest, ex);
			}
			throw ex;
		}
		HttpSubmission submission = HttpSubmission.find(request);
		if (submission == null) {
			return;
		}
		if (request.isAsyncStarted()) {
			finishWhenComplete(submission, cachedRequest, request);
		}
		else {
			// Nobody waits for a result, as with a reason in @ResponseStatus.
			submission.progress().returned();
			submission.finish(cachedRequest, null);
		}
	}

	private static void finishWhenComplete(HttpSubmission submission, CachedBodyRequest cachedRequest,
			HttpServletRequest request) throws IOException {
		try {
			if (!WebAsyncUtils.getAsyncManager(request).isConcurrentHandlingStarted()) {
				// The handler method uses its own AsyncContext: containers may complete
				// the response before the listener is called.
				submission.response().pass();
			}
			request.setAttribute(SUSPENDED, cachedRequest);
			request.getAsyncContext().addListener(new FinishingListener(submission, cachedRequest));
		}
		catch (Throwable ex) {
			// Without a listener, nothing else would end the claim.
			submission.progress().leftRunning();
			submission.finish(cachedRequest, ex);
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

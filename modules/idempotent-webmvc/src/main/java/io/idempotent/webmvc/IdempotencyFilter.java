package io.idempotent.webmvc;

import java.io.IOException;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.context.request.async.WebAsyncUtils;

/**
 * Puts inert wrappers around request and response, and ends the exchange that a handler
 * may have begun on them. A request to any other endpoint costs these two objects.
 */
final class IdempotencyFilter implements Filter {

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		if (!(request instanceof HttpServletRequest httpRequest)
				|| !(response instanceof HttpServletResponse httpResponse)) {
			chain.doFilter(request, response);
			return;
		}
		CachedBodyRequest known = CachedBodyRequest.find(httpRequest);
		if (known != null) {
			handle(known, httpRequest, httpResponse, chain);
			return;
		}
		DeferredResponse wrappedResponse = new DeferredResponse(httpResponse);
		CachedBodyRequest wrappedRequest = new CachedBodyRequest(httpRequest, wrappedResponse);
		handle(wrappedRequest, wrappedRequest, wrappedResponse, chain);
	}

	private static void handle(CachedBodyRequest wrapper, HttpServletRequest request, HttpServletResponse response,
			FilterChain chain) throws IOException, ServletException {
		try {
			chain.doFilter(request, response);
		}
		catch (Throwable ex) {
			finish(wrapper, ex);
			throw ex;
		}
		HttpSubmission exchange = wrapper.exchange();
		if (exchange == null) {
			return;
		}
		if (request.isAsyncStarted()) {
			awaitEnd(exchange, wrapper, request);
		}
		else {
			exchange.progress().isNotAwaited();
			exchange.finish(wrapper, null);
		}
	}

	private static void awaitEnd(HttpSubmission exchange, CachedBodyRequest wrapper, HttpServletRequest request)
			throws IOException {
		try {
			if (!WebAsyncUtils.getAsyncManager(request).isConcurrentHandlingStarted()) {
				// The operation's own AsyncContext: nobody tells us of its end in time.
				exchange.streams();
			}
			request.getAsyncContext().addListener(new TimeoutListener(exchange, wrapper));
		}
		catch (Throwable ex) {
			// Without a listener nobody else ends the claim.
			if (!exchange.progress().hasReturned()) {
				exchange.progress().timesOut();
			}
			exchange.finish(wrapper, ex);
			throw ex;
		}
	}

	private static void finish(CachedBodyRequest wrapper, Throwable thrown) throws IOException {
		HttpSubmission exchange = wrapper.exchange();
		if (exchange != null) {
			exchange.finish(wrapper, thrown);
		}
	}

	/**
	 * Notices what an asynchronous dispatch does not tell.
	 */
	private static final class TimeoutListener implements AsyncListener {

		private final HttpSubmission exchange;

		private final CachedBodyRequest request;

		TimeoutListener(HttpSubmission exchange, CachedBodyRequest request) {
			this.exchange = exchange;
			this.request = request;
		}

		@Override
		public void onComplete(AsyncEvent event) throws IOException {
			this.exchange.finish(this.request, null);
		}

		@Override
		public void onTimeout(AsyncEvent event) {
			this.exchange.progress().timesOut();
		}

		@Override
		public void onError(AsyncEvent event) {
			this.exchange.progress().timesOut();
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
			event.getAsyncContext().addListener(this);
		}

	}

}

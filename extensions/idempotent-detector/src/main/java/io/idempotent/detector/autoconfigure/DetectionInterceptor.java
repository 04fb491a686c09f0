package io.idempotent.detector.autoconfigure;

import java.io.IOException;

import io.idempotent.IdempotencyContext;
import io.idempotent.store.OperationKey;
import io.idempotent.webmvc.internal.request.MatchedPath;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Watches requests that run without a claim, and passes those that succeeded on to the
 * {@link RepeatDetector}. Its place is after the interceptor of idempotent operations. A
 * failure of its own is logged, and changes nothing for the request.
 */
record DetectionInterceptor(RequestKeys keys, RepeatDetector detector) implements HandlerInterceptor {

	private static final Log logger = LogFactory.getLog(DetectionInterceptor.class);

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
		WatchedRequest watched = WatchedRequest.find(request);
		// The method again: a filter may have replaced it by what a client sent.
		if (watched != null && WatchedRequest.METHODS.contains(request.getMethod())
				&& request.getDispatcherType() == DispatcherType.REQUEST && !isIdempotent(request)
				&& handler instanceof HandlerMethod method
				&& request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String pattern) {
			watched.watch(WatchedEndpoint.of(request.getMethod(), pattern, method), MatchedPath.parts(request));
		}
		return true;
	}

	/** Whether the request has a key, and may even be answered by a replay. */
	private static boolean isIdempotent(HttpServletRequest request) {
		return request.getAttribute(IdempotencyContext.ATTRIBUTE) != null;
	}

	@Override
	public void afterCompletion(HttpServletRequest request, HttpServletResponse response, Object handler,
			@Nullable Exception failure) {
		WatchedRequest watched = WatchedRequest.find(request);
		DispatcherType type = request.getDispatcherType();
		if (watched == null || (type != DispatcherType.REQUEST && type != DispatcherType.ASYNC)) {
			return;
		}
		WatchedRequest.Target target = watched.end();
		if (target == null || failure != null || response.getStatus() >= HttpStatus.BAD_REQUEST.value()
				|| isIdempotent(request)) {
			return;
		}
		// A handler with an AsyncContext of its own has not ended.
		OperationKey key = request.isAsyncStarted() ? null : key(request, watched, target);
		if (key != null) {
			this.detector.succeeded(target.endpoint(), key);
		}
		else {
			this.detector.unjudged(target.endpoint());
		}
	}

	private @Nullable OperationKey key(HttpServletRequest request, WatchedRequest watched,
			WatchedRequest.Target target) {
		try {
			return this.keys.of(request, watched, target.path());
		}
		catch (IOException | ServletException | RuntimeException ex) {
			// As after a handler that has moved an uploaded file.
			logger.debug("A request to " + target.endpoint() + " was not judged", ex);
			return null;
		}
	}

}

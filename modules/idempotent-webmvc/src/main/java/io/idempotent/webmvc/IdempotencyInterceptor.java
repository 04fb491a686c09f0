package io.idempotent.webmvc;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Claims token and header keys before the arguments are bound, and answers duplicates
 * without calling the handler.
 */
final class IdempotencyInterceptor implements HandlerInterceptor {

	private final Operations operations;

	private final HttpSubmitter entrance;

	IdempotencyInterceptor(Operations operations, HttpSubmitter entrance) {
		this.operations = operations;
		this.entrance = entrance;
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws Exception {
		Operation operation = (handler instanceof HandlerMethod method) ? this.operations.find(method) : null;
		if (operation == null) {
			return true;
		}
		CachedBodyRequest wrapper = CachedBodyRequest.find(request);
		if (wrapper == null) {
			throw new IllegalStateException("Operation '" + operation.name()
					+ "' was called without the idempotency filter: map the filter to this servlet as well");
		}
		if (wrapper.exchange() != null) {
			resume(wrapper.exchange(), request);
			return true;
		}
		return begin(operation, request, wrapper);
	}

	private boolean begin(Operation operation, HttpServletRequest request, CachedBodyRequest wrapper) throws Exception {
		HttpSubmission exchange;
		try {
			exchange = this.entrance.begin(operation, request, wrapper);
		}
		catch (IOException ex) {
			throw new HttpMessageNotReadableException("The body broke off", ex, new ServletServerHttpRequest(request));
		}
		if (exchange.isReplay()) {
			exchange.writeReplay(request);
			return false;
		}
		return true;
	}

	private static void resume(HttpSubmission exchange, HttpServletRequest request) {
		WebAsyncManager asyncManager = WebAsyncUtils.getAsyncManager(request);
		if (asyncManager.hasConcurrentResult()) {
			exchange.resumes(asyncManager.getConcurrentResult());
		}
		else {
			exchange.progress().resumes(null);
		}
	}

}

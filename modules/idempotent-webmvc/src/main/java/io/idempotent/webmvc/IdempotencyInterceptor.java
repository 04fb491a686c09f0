package io.idempotent.webmvc;

import java.io.IOException;

import io.idempotent.IdempotencyContext;
import io.idempotent.webmvc.SubmissionReader.ReadRequest;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Claims the key before the arguments of the handler method are bound, and answers
 * duplicates without calling the method. A claim that needs the arguments or follows
 * method security is left to the {@link ApiIdempotentMethodInterceptor}.
 */
final class IdempotencyInterceptor implements HandlerInterceptor {

	private final Operations operations;

	private final SubmissionServices services;

	IdempotencyInterceptor(Operations operations, SubmissionServices services) {
		this.operations = operations;
		this.services = services;
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws Exception {
		Operation operation = (handler instanceof HandlerMethod method) ? this.operations.find(method, request) : null;
		if (operation == null) {
			return true;
		}
		CachedBodyRequest cachedRequest = CachedBodyRequest.find(request);
		if (cachedRequest == null) {
			throw new IllegalStateException("Operation '" + operation.name() + "' was called through the servlet '"
					+ request.getHttpServletMapping().getServletName()
					+ "' without the idempotency filter: map the filter to this servlet as well");
		}
		HttpSubmission submission = cachedRequest.submission();
		if (submission != null) {
			resume(submission, request);
			return true;
		}
		return this.services.reader().isWithoutKey(operation, request) || begin(operation, request, cachedRequest);
	}

	private boolean begin(Operation operation, HttpServletRequest request, CachedBodyRequest cachedRequest)
			throws IOException, ServletException {
		ReadRequest read = read(operation, request, cachedRequest);
		HttpSubmission submission = new HttpSubmission(operation, read, cachedRequest.response(), this.services);
		cachedRequest.attach(submission);
		request.setAttribute(IdempotencyContext.ATTRIBUTE, submission.context());
		if (operation.claimsInCall()) {
			// Before the arguments are bound: one of them may be the response's stream.
			cachedRequest.response().startBuffering(this.services.settings().maxResponseBody());
			return true;
		}
		submission.decide(request, this.services.reader().submission(operation, read, request));
		return !submission.writeReplay(request);
	}

	private ReadRequest read(Operation operation, HttpServletRequest request, CachedBodyRequest cachedRequest)
			throws ServletException {
		try {
			return this.services.reader().read(operation, request, cachedRequest);
		}
		catch (IOException ex) {
			throw new HttpMessageNotReadableException(
					"The request body of operation '" + operation.name()
							+ "' could not be read to its end: the client has probably disconnected",
					ex, new ServletServerHttpRequest(request));
		}
	}

	private static void resume(HttpSubmission submission, HttpServletRequest request) {
		WebAsyncManager asyncManager = WebAsyncUtils.getAsyncManager(request);
		if (asyncManager.hasConcurrentResult()) {
			submission.resumed(asyncManager.getConcurrentResult());
		}
		else {
			submission.progress().resumed(null);
		}
	}

}

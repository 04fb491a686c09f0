package io.idempotent.webmvc.internal.submission;

import java.io.IOException;

import io.idempotent.webmvc.internal.request.CachedBodyRequest;
import io.idempotent.webmvc.internal.response.CsrfTokens;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.WebUtils;

/**
 * The request as filters behind the idempotency filter see it, with its response and its
 * submission: an attribute would be removed at the end of an include. Its base class
 * serves the body again that was read for the fingerprint.
 */
public final class SubmissionRequest extends CachedBodyRequest {

	private final DeferredResponse response;

	private @Nullable HttpSubmission submission;

	public SubmissionRequest(HttpServletRequest request, DeferredResponse response) {
		super(request);
		this.response = response;
	}

	/** The wrapper below those of other filters, or {@code null} without the filter. */
	public static @Nullable SubmissionRequest find(HttpServletRequest request) {
		return WebUtils.getNativeRequest(request, SubmissionRequest.class);
	}

	public DeferredResponse response() {
		return this.response;
	}

	/** {@code null} until the interceptor finds one. */
	public @Nullable HttpSubmission submission() {
		return this.submission;
	}

	public void submit(HttpSubmission found) {
		this.submission = found;
	}

	@Override
	public @Nullable Object getAttribute(String name) {
		Object value = super.getAttribute(name);
		return (value != null && this.response.isBuffering()) ? CsrfTokens.observe(value, this.response) : value;
	}

	/** Passes on the wrapped response: the container's own would bypass the buffer. */
	@Override
	public AsyncContext startAsync() {
		return this.response.isBuffering() ? startAsync(this, this.response) : super.startAsync();
	}

	@Override
	public @Nullable RequestDispatcher getRequestDispatcher(String path) {
		RequestDispatcher dispatcher = super.getRequestDispatcher(path);
		return (dispatcher != null) ? new Dispatcher(dispatcher, this.response) : null;
	}

	private record Dispatcher(RequestDispatcher original, DeferredResponse response) implements RequestDispatcher {

		@Override
		public void forward(ServletRequest request, ServletResponse target) throws ServletException, IOException {
			this.response.beforeForward();
			this.original.forward(request, target);
		}

		@Override
		public void include(ServletRequest request, ServletResponse target) throws ServletException, IOException {
			this.original.include(request, target);
		}

	}

}

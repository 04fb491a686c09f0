package io.idempotent.webmvc.internal.submission;

import io.idempotent.webmvc.internal.request.CachedBodyRequest;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.WebUtils;

/**
 * The request as filters behind the idempotency filter see it, with its submission: an
 * attribute would be removed at the end of an include.
 */
public final class SubmissionRequest extends CachedBodyRequest {

	private @Nullable HttpSubmission submission;

	public SubmissionRequest(HttpServletRequest request, DeferredResponse response) {
		super(request, response);
	}

	/** The wrapper below those of other filters, or {@code null} without the filter. */
	public static @Nullable SubmissionRequest find(HttpServletRequest request) {
		return WebUtils.getNativeRequest(request, SubmissionRequest.class);
	}

	/** {@code null} until the interceptor finds one. */
	public @Nullable HttpSubmission submission() {
		return this.submission;
	}

	public void submit(HttpSubmission found) {
		this.submission = found;
	}

}

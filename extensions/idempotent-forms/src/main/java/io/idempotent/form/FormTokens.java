package io.idempotent.form;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.webmvc.internal.key.CallerScope;
import io.idempotent.webmvc.internal.key.DefaultIdempotencyTokens;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * Issues the tokens of forms. Where a token cannot be stored, the form gets one that was
 * not issued: the page is complete, and its submission is refused with the entries kept
 * and a new token, once the store responds again.
 */
public final class FormTokens {

	private static final Log logger = LogFactory.getLog(FormTokens.class);

	private final FormTargets targets;

	private final DefaultIdempotencyTokens tokens;

	public FormTokens(FormTargets targets, DefaultIdempotencyTokens tokens) {
		this.targets = targets;
		this.tokens = tokens;
	}

	/** An empty name if there may be several, {@code null} if the form needs no token. */
	@Nullable String operation(String method, PathContainer path) {
		return this.targets.find(method, path);
	}

	String header() {
		return this.tokens.header();
	}

	/**
	 * The token with which the form that is shown again was sent, if this response
	 * releases it: then the browser's history has one submission, however far the user
	 * goes back.
	 */
	static @Nullable String released(HttpServletRequest request, String operation) {
		HttpSubmission submission = HttpSubmission.find(request);
		return (submission != null && submission.operation().name().equals(operation))
				? submission.releasedToken(request) : null;
	}

	/** Returns {@code null} if the caller cannot get one: the page is rendered anyway. */
	@Nullable String issue(HttpServletRequest request, String operation) {
		try {
			return this.tokens.issue(request, operation);
		}
		catch (SubmissionRefusedException ex) {
			if (ex.refusal() != Refusal.STORE_UNAVAILABLE) {
				// Logged by CallerScope. The submission is refused for the same reason.
				return null;
			}
			logger.debug("A form of " + request.getRequestURI() + " got a token that is not stored, since the store "
					+ "does not respond: the user is asked to send the form a second time", ex.getCause());
			return this.tokens.generate(operation);
		}
		catch (IllegalStateException ex) {
			logger.warn("A form of " + request.getRequestURI() + " got no token, since the session that it belongs to "
					+ "cannot be created any more: let the handler method of the page call request.getSession()", ex);
			return null;
		}
	}

}

package io.idempotent.form;

import java.util.HashMap;
import java.util.Map;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.webmvc.internal.key.CallerScope;
import io.idempotent.webmvc.internal.key.DefaultIdempotencyTokens;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the forms of one page. Once one cannot be stored, the store is not asked
 * again, and forms get tokens that were not issued: the page is complete, and submissions
 * are refused with the entries kept and a new token, once the store responds again.
 */
final class FormTokens {

	/** Further forms of a page share their operation's last token. */
	private static final int MAX_TOKENS = 64;

	private static final String ATTRIBUTE = FormTokens.class.getName();

	private static final Log logger = LogFactory.getLog(FormTokens.class);

	private final DefaultIdempotencyTokens tokens;

	private final Map<String, String> last = new HashMap<>();

	private int number;

	private boolean storeUnavailable;

	private FormTokens(DefaultIdempotencyTokens tokens) {
		this.tokens = tokens;
	}

	static FormTokens of(HttpServletRequest request, DefaultIdempotencyTokens tokens) {
		FormTokens known = (FormTokens) request.getAttribute(ATTRIBUTE);
		if (known == null) {
			known = new FormTokens(tokens);
			request.setAttribute(ATTRIBUTE, known);
		}
		return known;
	}

	/**
	 * Returns {@code null} if the caller cannot get one: the page is rendered anyway.
	 * @param again whether the form is sent to the address of the request, as one that is
	 * shown again
	 */
	@Nullable String token(HttpServletRequest request, String operation, boolean again) {
		String shared = (this.number >= MAX_TOKENS) ? this.last.get(operation) : null;
		if (shared != null) {
			return shared;
		}
		String released = (again && !this.last.containsKey(operation)) ? released(request, operation) : null;
		String token = (released != null) ? released : issue(request, operation);
		if (token != null) {
			this.last.put(operation, token);
			this.number++;
		}
		return token;
	}

	/**
	 * The token with which the form that is shown again was sent, if this response
	 * releases it: then the browser's history has one submission, however far the user
	 * goes back.
	 */
	private static @Nullable String released(HttpServletRequest request, String operation) {
		HttpSubmission submission = HttpSubmission.find(request);
		return (submission != null && submission.operation().name().equals(operation))
				? submission.releasedToken(request) : null;
	}

	private @Nullable String issue(HttpServletRequest request, String operation) {
		try {
			return this.storeUnavailable ? this.tokens.generate(operation) : this.tokens.issue(request, operation);
		}
		catch (SubmissionRefusedException ex) {
			if (ex.refusal() != Refusal.STORE_UNAVAILABLE) {
				// Logged by CallerScope. The submission is refused for the same reason.
				return null;
			}
			this.storeUnavailable = true;
			logger.debug("Forms of " + request.getRequestURI() + " get tokens that are not stored, since the store "
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

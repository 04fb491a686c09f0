package io.idempotent.webmvc;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.webmvc.form.TokenFieldProcessor.TokenSource;
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
final class IssuedFormTokens implements TokenSource {

	private static final Log logger = LogFactory.getLog(IssuedFormTokens.class);

	private final FormTargets targets;

	private final CallerTokens tokens;

	IssuedFormTokens(FormTargets targets, CallerTokens tokens) {
		this.targets = targets;
		this.tokens = tokens;
	}

	@Override
	public @Nullable String operation(String method, PathContainer path) {
		return this.targets.find(method, path);
	}

	@Override
	public @Nullable String issue(HttpServletRequest request, String operation) {
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
			return this.tokens.draw(operation);
		}
		catch (IllegalStateException ex) {
			logger.warn("A form of " + request.getRequestURI() + " got no token, since the session that it belongs to "
					+ "cannot be created any more: let the handler method of the page call request.getSession()", ex);
			return null;
		}
	}

}

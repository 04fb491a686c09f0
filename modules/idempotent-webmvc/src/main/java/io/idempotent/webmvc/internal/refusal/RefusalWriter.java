package io.idempotent.webmvc.internal.refusal;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.support.ApplicationMessages;
import io.idempotent.webmvc.ProblemRenderer;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.MessageSource;
import org.springframework.web.servlet.support.RequestContextUtils;
import org.springframework.web.util.WebUtils;

/**
 * Writes refusals with the messages of their operations: texts, or the codes of messages
 * in braces, as in Bean Validation.
 */
public final class RefusalWriter {

	private static final Log logger = LogFactory.getLog(RefusalWriter.class);

	private final ProblemRenderer problems;

	private final ApplicationMessages messages;

	private final Set<String> missing = ConcurrentHashMap.newKeySet();

	public RefusalWriter(ProblemRenderer problems, MessageSource messages) {
		this.problems = problems;
		this.messages = new ApplicationMessages(messages);
	}

	/** {@code false} if the response is committed: it can only be broken off. */
	public boolean write(SubmissionRefusedException refused, HttpServletRequest request, HttpServletResponse response) {
		if (refused.userMessage() != null) {
			// Null removes the attribute.
			request.setAttribute(ProblemRenderer.MESSAGE_ATTRIBUTE,
					message(refused, RequestContextUtils.getLocale(request)));
		}
		return write(refused.refusal(), request, response);
	}

	/**
	 * {@code false} if the response is committed: it can only be broken off. What the
	 * operation has written is discarded, and the response is not recorded as its own.
	 */
	public boolean write(Refusal refusal, HttpServletRequest request, HttpServletResponse response) {
		DeferredResponse deferred = WebUtils.getNativeResponse(response, DeferredResponse.class);
		if (deferred != null) {
			deferred.startRefusal();
		}
		if (response.isCommitted()) {
			return false;
		}
		try {
			this.problems.render(refusal, request, response);
		}
		catch (IOException disconnected) {
			logger.debug("The client has disconnected: it does not receive the refusal", disconnected);
		}
		return true;
	}

	/** The operation's own message about a refusal, or {@code null} if there is none. */
	public @Nullable String message(SubmissionRefusedException refused, Locale locale) {
		String message = refused.userMessage();
		String code = (message != null) ? ApplicationMessages.code(message) : null;
		if (message == null || code == null) {
			return message;
		}
		String text = this.messages.find(code, locale);
		if (text == null && this.missing.add(message)) {
			logger.warn("The message \"" + message + "\" of operation '" + refused.operation()
					+ "' is not in the application's messages for the language '" + locale.toLanguageTag()
					+ "', so that users get the default text: add it to messages.properties, or write the text itself");
		}
		return text;
	}

}

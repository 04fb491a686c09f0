package io.idempotent.webmvc;

import java.io.IOException;

import io.idempotent.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Writes the response to a refused submission. A bean of the application replaces the
 * default, which writes an RFC 9457 problem document, or an HTML page for a browser, in
 * English or Chinese.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a>
 */
@FunctionalInterface
public interface ProblemRenderer {

	/**
	 * The request attribute with a text for users: the {@code message} of the operation's
	 * annotation, or else what the default would say. It is in the language of the
	 * request, not escaped, and never {@code null}.
	 */
	String MESSAGE_ATTRIBUTE = "io.idempotent.webmvc.ProblemRenderer.MESSAGE";

	/**
	 * Writes the response.
	 * @param response the response, without a body so far
	 * @throws IOException if the client has disconnected
	 */
	void render(Refusal refusal, HttpServletRequest request, HttpServletResponse response) throws IOException;

}

package io.idempotent.webmvc;

import java.io.IOException;

import io.idempotent.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Answers a submission that was refused. A bean of the application replaces ours, which
 * writes an RFC 9457 problem document, or a page for a browser, in English or Chinese.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a>
 */
@FunctionalInterface
public interface ProblemRenderer {

	/**
	 * Writes the answer.
	 * @param refusal why it was refused
	 * @param request the request
	 * @param response the response, untouched so far
	 * @throws IOException if the client is gone
	 */
	void render(Refusal refusal, HttpServletRequest request, HttpServletResponse response) throws IOException;

}

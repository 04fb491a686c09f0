package io.idempotent.webmvc;

import java.io.IOException;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * How an answer ends: by its body, or by a word to the container, which makes the rest of
 * the answer.
 */
sealed interface ResponseEnd {

	/**
	 * Says the word.
	 * @param response the container's response
	 * @throws IOException if the client is gone
	 */
	void send(HttpServletResponse response) throws IOException;

	/**
	 * By its body.
	 */
	record Body() implements ResponseEnd {

		@Override
		public void send(HttpServletResponse response) {
			// It has been sent.
		}

	}

	/**
	 * By {@code sendError}: the container makes a page of it.
	 *
	 * @param status the status
	 * @param message the message, or {@code null}
	 */
	record ErrorPage(int status, @Nullable String message) implements ResponseEnd {

		@Override
		public void send(HttpServletResponse response) throws IOException {
			if (this.message != null) {
				response.sendError(this.status, this.message);
			}
			else {
				response.sendError(this.status);
			}
		}

	}

	/**
	 * By {@code sendRedirect}: the container makes its location absolute, or not.
	 *
	 * @param status the status
	 * @param location the location
	 * @param clearBuffer whether there is no body but the container's
	 */
	record Redirect(int status, String location, boolean clearBuffer) implements ResponseEnd {

		@Override
		public void send(HttpServletResponse response) throws IOException {
			if (this.status == HttpServletResponse.SC_FOUND && this.clearBuffer) {
				// Filters know this one best.
				response.sendRedirect(this.location);
			}
			else {
				response.sendRedirect(this.location, this.status, this.clearBuffer);
			}
		}

	}

}

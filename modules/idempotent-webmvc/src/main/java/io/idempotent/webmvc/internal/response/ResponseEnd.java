package io.idempotent.webmvc.internal.response;

import java.io.IOException;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * How a response ends: with its body, or with a call that lets the container write the
 * rest.
 */
sealed interface ResponseEnd {

	/**
	 * Ends the container's response in the same way.
	 * @param response the container's response
	 * @throws IOException if the client has disconnected
	 */
	void send(HttpServletResponse response) throws IOException;

	/**
	 * With its body.
	 */
	record Body() implements ResponseEnd {

		@Override
		public void send(HttpServletResponse response) {
			// The body has been sent already.
		}

	}

	/**
	 * With {@code sendError}: the container renders an error page.
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
	 * With {@code sendRedirect}: the container may make the location absolute.
	 *
	 * @param status the status
	 * @param location the location
	 * @param clearBuffer whether the body is discarded
	 */
	record Redirect(int status, String location, boolean clearBuffer) implements ResponseEnd {

		@Override
		public void send(HttpServletResponse response) throws IOException {
			if (this.status == HttpServletResponse.SC_FOUND && this.clearBuffer) {
				// The overload that filters are most likely to override.
				response.sendRedirect(this.location);
			}
			else {
				response.sendRedirect(this.location, this.status, this.clearBuffer);
			}
		}

	}

}

package io.idempotent.webmvc.internal.response;

import java.io.IOException;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** A call with which a response ends, so that the container writes the rest of it. */
sealed interface ContainerCall {

	void send(HttpServletResponse response) throws IOException;

	/** The container renders an error page. */
	record SendError(int status, @Nullable String message) implements ContainerCall {

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

	/** The container may make the location absolute. */
	record SendRedirect(int status, String location, boolean clearBuffer) implements ContainerCall {

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

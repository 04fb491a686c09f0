package io.idempotent.webmvc.internal.response;

import java.io.IOException;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.util.ClassUtils;

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

		/** Since Servlet 6.1, by which a node with it may have recorded the response. */
		private static final boolean CHOOSES_STATUS = ClassUtils.hasMethod(HttpServletResponse.class, "sendRedirect",
				String.class, int.class, boolean.class);

		@Override
		public void send(HttpServletResponse response) throws IOException {
			if (this.status == HttpServletResponse.SC_FOUND && this.clearBuffer) {
				// The overload that filters are most likely to override.
				response.sendRedirect(this.location);
			}
			else if (CHOOSES_STATUS) {
				response.sendRedirect(this.location, this.status, this.clearBuffer);
			}
			else {
				response.setStatus(this.status);
				response.setHeader(HttpHeaders.LOCATION, this.location);
			}
		}

	}

}

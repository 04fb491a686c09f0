package io.idempotent.form.autoconfigure;

import java.io.IOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Sends a redirect to the script as 204 with its target in a header: a browser does not
 * show the target of a redirect to a script, and by following it the script would consume
 * the flash attributes of the target page. The recorded response is not changed.
 */
final class ReadableRedirectFilter extends OncePerRequestFilter {

	static final String HEADER = "Idempotent-Redirect";

	private static final String REQUESTED = "manual";

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (!REQUESTED.equals(request.getHeader(HEADER)) || isForPage(request)) {
			chain.doFilter(request, response);
			return;
		}
		ReadableRedirect readable = new ReadableRedirect(response);
		try {
			chain.doFilter(request, readable);
		}
		catch (Throwable ex) {
			// The container renders an error page, and keeps the headers.
			readable.withdraw();
			throw ex;
		}
	}

	/** A shared cache may store a page for other clients. */
	private static boolean isForPage(HttpServletRequest request) {
		return HttpMethod.GET.matches(request.getMethod()) || HttpMethod.HEAD.matches(request.getMethod());
	}

	private static final class ReadableRedirect extends HttpServletResponseWrapper {

		/** The status of a redirect, or 0. */
		private int redirect;

		private @Nullable String location;

		ReadableRedirect(HttpServletResponse response) {
			super(response);
		}

		@Override
		public void setStatus(int status) {
			boolean redirects = status != HttpStatus.NOT_MODIFIED.value()
					&& status / 100 == HttpStatus.Series.REDIRECTION.value();
			this.redirect = redirects ? status : 0;
			super.setStatus(redirects ? HttpStatus.NO_CONTENT.value() : status);
			expose();
		}

		/** As the application has set it, since this is recorded. */
		@Override
		public int getStatus() {
			return (this.redirect != 0) ? this.redirect : super.getStatus();
		}

		@Override
		public void setHeader(String name, String value) {
			super.setHeader(name, value);
			note(name, value);
		}

		@Override
		public void addHeader(String name, String value) {
			super.addHeader(name, value);
			note(name, value);
		}

		private void note(String name, @Nullable String value) {
			if (name.equalsIgnoreCase(HttpHeaders.LOCATION)) {
				this.location = value;
				expose();
			}
		}

		private void expose() {
			if (this.redirect == 0) {
				withdraw();
			}
			else if (this.location != null) {
				super.setHeader(HEADER, this.location);
			}
		}

		/** Otherwise the script would follow it. */
		void withdraw() {
			if (containsHeader(HEADER)) {
				super.setHeader(HEADER, null);
				if (containsHeader(HEADER)) {
					// Before Servlet 6.1, containers ignore null.
					super.setHeader(HEADER, "");
				}
			}
		}

		@Override
		public void reset() {
			super.reset();
			this.redirect = 0;
			this.location = null;
		}

		@Override
		public void sendRedirect(String location) throws IOException {
			sendRedirect(location, HttpStatus.FOUND.value(), true);
		}

		@Override
		public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
			if (clearBuffer) {
				resetBuffer();
			}
			setStatus(status);
			setHeader(HttpHeaders.LOCATION, location);
			flushBuffer();
		}

	}

}

package io.idempotent.webmvc.internal.response;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;

/**
 * Notices the CSRF tokens that an operation reads, since a response that contains one
 * must not be replayed. Spring Security does not expose whether its deferred token has
 * been read, and reading it might create a session.
 */
public final class CsrfTokens {

	private static final boolean PRESENT = ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken",
			CsrfTokens.class.getClassLoader());

	/** The default of Spring Security, which other frameworks use as well. */
	private static final String DEFAULT_PARAMETER = "_csrf";

	private CsrfTokens() {
	}

	/** The form field with the CSRF token, which changes each time a form is rendered. */
	public static String parameterOf(HttpServletRequest request) {
		// A CSRF token needs a cookie. Without one there is no token, and reading the
		// attribute might create a session.
		return (PRESENT && request.getCookies() != null) ? Observed.parameterOf(request) : DEFAULT_PARAMETER;
	}

	/** Observes the value of a request attribute, if it is a CSRF token. */
	public static Object observe(Object value, DeferredResponse response) {
		return PRESENT ? Observed.observe(value, response) : value;
	}

	/**
	 * Loaded only if Spring Security is present. Has the properties of a token only,
	 * since operations return tokens as JSON.
	 */
	private static final class Observed implements CsrfToken {

		private static final long serialVersionUID = 1L;

		private final CsrfToken token;

		private final transient DeferredResponse response;

		private Observed(CsrfToken token, DeferredResponse response) {
			this.token = token;
			this.response = response;
		}

		static String parameterOf(HttpServletRequest request) {
			return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
					? token.getParameterName() : DEFAULT_PARAMETER;
		}

		static Object observe(Object value, DeferredResponse response) {
			return (value instanceof CsrfToken token && !(token instanceof Observed)) ? new Observed(token, response)
					: value;
		}

		@Override
		public String getHeaderName() {
			return this.token.getHeaderName();
		}

		@Override
		public String getParameterName() {
			return this.token.getParameterName();
		}

		@Override
		public String getToken() {
			String value = this.token.getToken();
			this.response.keepSecret(value);
			return value;
		}

		private Object writeReplace() {
			return this.token;
		}

	}

}

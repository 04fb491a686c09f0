package io.idempotent.webmvc.internal.request;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;

/**
 * The name of the form field with the CSRF token, which Spring Security changes each time
 * a form is rendered.
 */
final class CsrfParameter {

	/** The default of Spring Security, which other frameworks use as well. */
	static final String DEFAULT = "_csrf";

	private static final boolean PRESENT = ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken",
			CsrfParameter.class.getClassLoader());

	private CsrfParameter() {
	}

	/**
	 * Finds the name.
	 * @param request the request
	 * @return the name of the field, whether or not the request has it
	 */
	static String of(HttpServletRequest request) {
		// A CSRF token needs a cookie. Without one there is no token, and reading the
		// attribute might create a session.
		return (PRESENT && request.getCookies() != null) ? Attribute.name(request) : DEFAULT;
	}

	/**
	 * Loaded only if Spring Security is present.
	 */
	private static final class Attribute {

		static String name(HttpServletRequest request) {
			return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
					? token.getParameterName() : DEFAULT;
		}

	}

}

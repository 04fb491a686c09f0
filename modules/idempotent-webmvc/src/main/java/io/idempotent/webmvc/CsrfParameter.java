package io.idempotent.webmvc;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;

/**
 * The name of the field that carries the CSRF token, which Spring Security changes with
 * every rendering of a form.
 */
final class CsrfParameter {

	/** The name that Spring Security gives it, and others after its example. */
	static final String DEFAULT = "_csrf";

	private static final boolean PRESENT = ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken",
			CsrfParameter.class.getClassLoader());

	private CsrfParameter() {
	}

	/**
	 * Finds the name.
	 * @param request a request with fields
	 * @return the name of the field, which the request need not have
	 */
	static String of(HttpServletRequest request) {
		// A token is tied to a cookie. Without one there is none to be named, and to ask
		// might begin a session.
		return (PRESENT && request.getCookies() != null) ? Attribute.name(request) : DEFAULT;
	}

	/**
	 * Loaded only where Spring Security is.
	 */
	private static final class Attribute {

		static String name(HttpServletRequest request) {
			return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
					? token.getParameterName() : DEFAULT;
		}

	}

}

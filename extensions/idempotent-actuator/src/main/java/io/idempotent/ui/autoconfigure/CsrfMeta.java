package io.idempotent.ui.autoconfigure;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.util.HtmlUtils;

/** Adds Spring Security's CSRF token to the page, which sends it with writes. */
final class CsrfMeta {

	private static final boolean PRESENT = ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken",
			CsrfMeta.class.getClassLoader());

	private CsrfMeta() {
	}

	/** Two elements, or an empty text without Spring Security or CSRF protection. */
	static String of(HttpServletRequest request) {
		return PRESENT ? Token.of(request) : "";
	}

	/** Loaded only if Spring Security is present. */
	private static final class Token {

		private Token() {
		}

		static String of(HttpServletRequest request) {
			return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
					? meta("_csrf_header", token.getHeaderName()) + meta("_csrf", token.getToken()) : "";
		}

		private static String meta(String name, String content) {
			return "\n<meta name=\"" + name + "\" content=\"" + HtmlUtils.htmlEscape(content) + "\">";
		}

	}

}

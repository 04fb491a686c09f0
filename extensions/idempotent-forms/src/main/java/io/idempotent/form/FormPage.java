package io.idempotent.form;

import java.util.Collection;
import java.util.Collections;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The caching of a page that contains a token: never shared between callers. The browser
 * may keep the page, so that its Back button shows the same form with the same token, and
 * sending it again is a repeat.
 */
final class FormPage {

	private static final String PRIVATE = "private, no-cache";

	/** What Spring Security would write by default. */
	private static final String NO_STORE = "no-store";

	/** Not {@code private="…"}, which lets a shared cache store the page. */
	private static final Pattern NOT_SHARED = Pattern.compile("no-store|\\bprivate\\b(?!\\s*=)",
			Pattern.CASE_INSENSITIVE);

	/** Shared caches prefer these headers (RFC 9213 and older) to Cache-Control. */
	private static final Pattern OF_SHARED_CACHES = Pattern.compile("(.+-)?CDN-Cache-Control|Surrogate-Control",
			Pattern.CASE_INSENSITIVE);

	/** Begins the attribute that is set while Spring Security's header filter runs. */
	private static final String SECURITY = "org.springframework.security.web.header.HeaderWriterFilter";

	private FormPage() {
	}

	/** Makes sure that no shared cache stores the page. */
	static void keepPrivate(HttpServletRequest request) {
		HttpServletResponse response = (RequestContextHolder
			.getRequestAttributes() instanceof ServletRequestAttributes attributes) ? attributes.getResponse() : null;
		if (response == null) {
			return;
		}
		response.getHeaderNames()
			.stream()
			.filter((name) -> OF_SHARED_CACHES.matcher(name).matches())
			.toList()
			.forEach((name) -> response.setHeader(name, NO_STORE));
		Collection<String> present = response.getHeaders(HttpHeaders.CACHE_CONTROL);
		if (present.stream().anyMatch((directives) -> NOT_SHARED.matcher(directives).find())) {
			return;
		}
		// Spring Security writes nothing if the response has an Expires or Pragma header,
		// if it is configured so, or if the container ends the response to a forward
		// (JSP) first.
		boolean secured = present.isEmpty() && isSecurityAround(request);
		response.setHeader(HttpHeaders.CACHE_CONTROL, secured ? NO_STORE : PRIVATE);
	}

	private static boolean isSecurityAround(HttpServletRequest request) {
		return Collections.list(request.getAttributeNames())
			.stream()
			.anyMatch(
					(name) -> name.startsWith(SECURITY) && name.endsWith(OncePerRequestFilter.ALREADY_FILTERED_SUFFIX));
	}

}

package io.idempotent.webmvc.internal.refusal;

import java.net.URI;
import java.net.URISyntaxException;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/** Where a form was sent from. */
public final class FormOrigin {

	private FormOrigin() {
	}

	/** Path and query of the page, or {@code null} if unknown or on another server. */
	public static @Nullable String page(HttpServletRequest request) {
		URI from = ofThisServer(request, request.getHeader(HttpHeaders.REFERER));
		String path = (from != null) ? from.getRawPath() : null;
		if (from == null || path == null || !path.startsWith("/") || path.startsWith("//")) {
			return null;
		}
		return (from.getRawQuery() != null) ? path + "?" + from.getRawQuery() : path;
	}

	/** Whether a page of this server certainly sent the form, and not another site. */
	public static boolean isCertain(HttpServletRequest request) {
		String site = request.getHeader("Sec-Fetch-Site");
		if (site != null) {
			return site.equals("same-origin");
		}
		String origin = request.getHeader(HttpHeaders.ORIGIN);
		return ofThisServer(request, (origin != null) ? origin : request.getHeader(HttpHeaders.REFERER)) != null;
	}

	private static @Nullable URI ofThisServer(HttpServletRequest request, @Nullable String url) {
		if (url == null) {
			return null;
		}
		try {
			URI from = new URI(url);
			URI here = new URI(request.getRequestURL().toString());
			boolean same = here.getScheme().equalsIgnoreCase(from.getScheme()) && here.getRawAuthority() != null
					&& here.getRawAuthority().equalsIgnoreCase(from.getRawAuthority());
			return same ? from : null;
		}
		catch (URISyntaxException ex) {
			return null;
		}
	}

}

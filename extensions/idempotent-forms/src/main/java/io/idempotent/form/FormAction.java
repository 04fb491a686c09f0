package io.idempotent.form;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.HtmlUtils;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Resolves the action of a form as a browser does, against the address of the page.
 *
 * @see <a href="https://url.spec.whatwg.org/#concept-basic-url-parser">URL standard</a>
 */
final class FormAction {

	/** Scheme and rest of a URL that does not depend on the page. */
	private static final Pattern ABSOLUTE = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)", Pattern.DOTALL);

	private static final Pattern AUTHORITY = Pattern.compile("//([^/?#]+)([^?#]*).*", Pattern.DOTALL);

	/** The path of the {@code base} element of the page, or {@link #ELSEWHERE}. */
	private static final String BASE = FormAction.class.getName() + ".base";

	private static final String ELSEWHERE = "";

	private static final Pattern DOT = Pattern.compile("\\.|%2[eE]");

	private FormAction() {
	}

	/** The path within Spring MVC, or {@code null} if the form is sent elsewhere. */
	static @Nullable PathContainer resolve(HttpServletRequest request, String action) {
		String address = cleaned(HtmlUtils.htmlUnescape(action));
		String base = (String) request.getAttribute(BASE);
		// A form without an action is sent to its own page, whatever the base is.
		String path = path(request, address, (base == null || address.isEmpty()) ? page(request) : base);
		String prefix = prefix(request);
		if (path == null || !path.startsWith(prefix)) {
			return null;
		}
		String within = path.substring(prefix.length());
		return (within.isEmpty() || within.startsWith("/")) ? PathContainer.parsePath(within) : null;
	}

	/** Sets the base address of the page, if it has none. */
	static void base(HttpServletRequest request, String href) {
		if (request.getAttribute(BASE) == null) {
			String path = path(request, cleaned(HtmlUtils.htmlUnescape(href)), page(request));
			request.setAttribute(BASE, (path != null) ? path : ELSEWHERE);
		}
	}

	/** Removes what a browser ignores, and turns backslashes into slashes as it does. */
	private static String cleaned(String action) {
		String trimmed = action.replaceAll("[\\t\\n\\r]", "").trim();
		String path = pathOf(trimmed);
		return path.replace('\\', '/') + trimmed.substring(path.length());
	}

	private static String pathOf(String url) {
		return url.split("[?#]", 2)[0];
	}

	private static @Nullable String path(HttpServletRequest request, String action, String base) {
		Matcher absolute = ABSOLUTE.matcher(action);
		if (absolute.matches()) {
			return absolute.group(1).equalsIgnoreCase(request.getScheme()) ? onThisHost(request, absolute.group(2))
					: null;
		}
		if (action.startsWith("//")) {
			return onThisHost(request, action);
		}
		if (base.equals(ELSEWHERE)) {
			return null;
		}
		String path = pathOf(action);
		if (path.isEmpty()) {
			return base;
		}
		return withoutDots(path.startsWith("/") ? path : base.substring(0, base.lastIndexOf('/') + 1) + path);
	}

	private static @Nullable String onThisHost(HttpServletRequest request, String url) {
		Matcher authority = AUTHORITY.matcher(url);
		if (!authority.matches() || !isThisHost(request, authority.group(1).toLowerCase(Locale.ROOT))) {
			return null;
		}
		return withoutDots(authority.group(2).isEmpty() ? "/" : authority.group(2));
	}

	private static boolean isThisHost(HttpServletRequest request, String authority) {
		String host = request.getServerName().toLowerCase(Locale.ROOT);
		int port = request.getServerPort();
		boolean isDefault = port == ("https".equalsIgnoreCase(request.getScheme()) ? 443 : 80);
		return authority.equals(host + ":" + port) || (isDefault && authority.equals(host));
	}

	/** The path of the page before any dispatch. */
	static String page(HttpServletRequest request) {
		if (request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String failed) {
			return failed;
		}
		return (request.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI) instanceof String forwarded) ? forwarded
				: request.getRequestURI();
	}

	/** The paths of the application, and of Spring MVC within it. */
	private static String prefix(HttpServletRequest request) {
		if (!ServletRequestPathUtils.hasParsedRequestPath(request)) {
			return request.getContextPath();
		}
		RequestPath path = ServletRequestPathUtils.getParsedRequestPath(request);
		String whole = path.value();
		return whole.substring(0, whole.length() - path.pathWithinApplication().value().length());
	}

	private static String withoutDots(String path) {
		if (!path.contains("/.") && !path.contains("/%2")) {
			return path;
		}
		Deque<String> kept = new ArrayDeque<>();
		String[] segments = path.substring(1).split("/", -1);
		for (int i = 0; i < segments.length; i++) {
			String segment = DOT.matcher(segments[i]).replaceAll(".");
			boolean last = i == segments.length - 1;
			if (segment.equals("..")) {
				kept.pollLast();
			}
			else if (!segment.equals(".")) {
				kept.addLast(segments[i]);
				continue;
			}
			if (last) {
				kept.addLast("");
			}
		}
		return "/" + String.join("/", kept);
	}

}

package io.idempotent.ui.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.support.WebContentGenerator;
import org.springframework.web.util.HtmlUtils;

/**
 * Serves the HTML of the page, whose script calls the endpoints from the browser with the
 * permissions of the user. Its paths are relative: proxies may add a prefix.
 */
final class OperationsPage extends WebContentGenerator implements HttpRequestHandler {

	/** Allows only the page's files and endpoints, and no text to be turned into HTML. */
	private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
			+ "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
			+ "require-trusted-types-for 'script'; trusted-types 'none'";

	private final String html;

	private final String name;

	/** From the directory of the page up to the root. */
	private final String root;

	private final Supplier<List<Endpoint>> endpoints;

	/** The endpoints are asked for each time that the page is loaded. */
	OperationsPage(String path, Supplier<List<Endpoint>> endpoints) throws IOException {
		super(METHOD_GET, METHOD_HEAD);
		setCacheControl(CacheControl.noStore());
		this.html = new ClassPathResource("io/idempotent/ui/index.html", OperationsPage.class.getClassLoader())
			.getContentAsString(StandardCharsets.UTF_8);
		this.name = path.substring(path.lastIndexOf('/') + 1);
		this.root = "../".repeat(StringUtils.countOccurrencesOf(path, "/") - 1);
		this.endpoints = endpoints;
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		checkRequest(request);
		prepareResponse(response);
		response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
		response.setHeader("X-Content-Type-Options", "nosniff");
		response.setHeader("Referrer-Policy", "no-referrer");
		response.addHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_LANGUAGE);
		byte[] page = render(request).getBytes(StandardCharsets.UTF_8);
		response.setContentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8).toString());
		response.setContentLength(page.length);
		response.getOutputStream().write(page);
	}

	private String render(HttpServletRequest request) {
		boolean chinese = request.getLocale().getLanguage().equals(Locale.CHINESE.getLanguage());
		String meta = this.endpoints.get().stream().map(this::meta).collect(Collectors.joining("\n"));
		return this.html.replace("{{language}}", chinese ? "zh" : "en")
			.replace("{{assets}}", HtmlUtils.htmlEscape(this.name))
			.replace("{{meta}}", meta + CsrfMeta.of(request));
	}

	private String meta(Endpoint endpoint) {
		String path = endpoint.path();
		return "<meta name=\"idempotent-endpoint\" content=\"" + HtmlUtils.htmlEscape(endpoint.id()) + "\""
				+ ((path != null) ? " data-path=\"" + HtmlUtils.htmlEscape(relative(path)) + "\"" : "")
				+ " data-writable=\"" + endpoint.writable() + "\">";
	}

	private String relative(String path) {
		String fromRoot = path.substring(1);
		// A relative path whose first segment has a colon would be a URL with a scheme.
		return this.root.isEmpty() ? "./" + fromRoot : this.root + fromRoot;
	}

	/**
	 * An actuator endpoint that the page uses.
	 *
	 * @param path its path in the same dispatcher servlet, or {@code null} if it is not
	 * exposed
	 * @param writable whether its write operations are enabled
	 */
	record Endpoint(String id, @Nullable String path, boolean writable) {
	}

}

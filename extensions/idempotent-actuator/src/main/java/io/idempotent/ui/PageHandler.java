package io.idempotent.ui;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.idempotent.ui.OperationsPage.Endpoint;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.support.WebContentGenerator;
import org.springframework.web.util.HtmlUtils;

/** Serves the HTML of the page. Its paths are relative: proxies may add a prefix. */
final class PageHandler extends WebContentGenerator implements HttpRequestHandler {

	/** Allows only the page's files and endpoints, and no text to be turned into HTML. */
	private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
			+ "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
			+ "require-trusted-types-for 'script'; trusted-types 'none'";

	private final String html = read();

	private final String name;

	/** From the directory of the page up to the root. */
	private final String root;

	private final Supplier<List<Endpoint>> endpoints;

	PageHandler(String path, Supplier<List<Endpoint>> endpoints) {
		super(METHOD_GET, METHOD_HEAD);
		setCacheControl(CacheControl.noStore());
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
		String meta = this.endpoints.get().stream().map(this::meta).collect(Collectors.joining("\n"));
		return this.html.replace("{{language}}", language(request))
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

	private static String language(HttpServletRequest request) {
		return request.getLocale().getLanguage().equals(Locale.CHINESE.getLanguage()) ? "zh" : "en";
	}

	private static String read() {
		try {
			return new ClassPathResource("index.html", PageHandler.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

package io.idempotent.webmvc;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import io.idempotent.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.context.MessageSource;
import org.springframework.context.support.ResourceBundleMessageSource;
import org.springframework.http.HttpHeaders;
import org.springframework.web.util.HtmlUtils;

/**
 * An HTML page for a user who has submitted a form in a browser: what happened, and a
 * link back to the form. The application's messages for a problem take precedence over
 * the default messages of the page.
 */
final class RefusalPage {

	private static final String PAGE = """
			<!DOCTYPE html>
			<html lang="%s">
			<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
			<meta name="problem" content="%s"><title>%s</title></head>
			<body style="font-family:sans-serif;max-width:40em;margin:4em auto;padding:0 1em">
			<h1>%s</h1>
			<p>%s</p>
			<p>%s</p>
			</body>
			</html>
			""";

	private final MessageSource application;

	private final ResourceBundleMessageSource defaults = new ResourceBundleMessageSource();

	RefusalPage(MessageSource application) {
		this.application = application;
		this.defaults.setBasename("io.idempotent.webmvc.pages");
		this.defaults.setDefaultEncoding(StandardCharsets.UTF_8.name());
		this.defaults.setFallbackToSystemLocale(false);
	}

	/**
	 * Renders the page.
	 * @param refusal the reason of the refusal
	 * @param title the title of the problem, used if the page has none
	 * @param detail the detail of the problem, used if the page has none
	 * @param request the request, whose referrer is the form
	 * @param locale the language of the user
	 * @return the HTML page
	 */
	String render(Refusal refusal, String title, String detail, HttpServletRequest request, Locale locale) {
		String heading = escape(text(refusal, "title", title, locale));
		boolean own = request.getAttribute(ProblemRenderer.MESSAGE_ATTRIBUTE) != null;
		String body = escape(own ? detail : text(refusal, "detail", detail, locale));
		String language = escape(message("idempotent.page.language", locale));
		return PAGE.formatted(language, refusal.code(), heading, heading, body, backLink(request, locale));
	}

	private String text(Refusal refusal, String part, String problem, Locale locale) {
		String own = this.application.getMessage("idempotent.problem." + refusal.code() + "." + part, null, null,
				locale);
		if (own != null) {
			return own;
		}
		String page = this.defaults.getMessage("idempotent.page." + refusal.code() + "." + part, null, null, locale);
		return (page != null) ? page : problem;
	}

	private String backLink(HttpServletRequest request, Locale locale) {
		String form = form(request);
		return (form != null)
				? "<a href=\"%s\">%s</a>".formatted(escape(form), escape(message("idempotent.page.back", locale)))
				: escape(message("idempotent.page.back-button", locale));
	}

	private String message(String code, Locale locale) {
		return this.defaults.getMessage(code, null, locale);
	}

	/**
	 * The path of the form, if it is on this server.
	 */
	private static @Nullable String form(HttpServletRequest request) {
		String referrer = request.getHeader(HttpHeaders.REFERER);
		if (referrer == null) {
			return null;
		}
		try {
			URI from = new URI(referrer);
			URI here = new URI(request.getRequestURL().toString());
			String path = from.getRawPath();
			boolean same = here.getScheme().equalsIgnoreCase(from.getScheme()) && here.getRawAuthority() != null
					&& here.getRawAuthority().equalsIgnoreCase(from.getRawAuthority());
			if (!same || path == null || !path.startsWith("/") || path.startsWith("//")) {
				return null;
			}
			return (from.getRawQuery() != null) ? path + "?" + from.getRawQuery() : path;
		}
		catch (URISyntaxException ex) {
			return null;
		}
	}

	/** Escapes only what is special in HTML, since the page is UTF-8. */
	private static String escape(String text) {
		return HtmlUtils.htmlEscape(text, StandardCharsets.UTF_8.name());
	}

}

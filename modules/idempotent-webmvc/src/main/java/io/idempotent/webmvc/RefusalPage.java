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
 * A page for somebody who has submitted a form: what happened to it, in words that need
 * no documentation, and a way back to the form. The application's words for a problem win
 * over ours for the page.
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

	private final ResourceBundleMessageSource ours = new ResourceBundleMessageSource();

	RefusalPage(MessageSource application) {
		this.application = application;
		this.ours.setBasename("io.idempotent.webmvc.pages");
		this.ours.setDefaultEncoding(StandardCharsets.UTF_8.name());
		this.ours.setFallbackToSystemLocale(false);
	}

	/**
	 * Writes the page.
	 * @param refusal what was refused
	 * @param title the title of the problem, where there is none for the page
	 * @param detail the detail of the problem, where there is none for the page
	 * @param request the request, whose referrer is the way back
	 * @param locale the language of the reader
	 * @return the page
	 */
	String render(Refusal refusal, String title, String detail, HttpServletRequest request, Locale locale) {
		String heading = escape(words(refusal, "title", title, locale));
		String text = escape(words(refusal, "detail", detail, locale));
		String language = escape(message("idempotent.page.language", locale));
		return PAGE.formatted(language, refusal.code(), heading, heading, text, wayBack(request, locale));
	}

	private String words(Refusal refusal, String part, String problem, Locale locale) {
		String own = this.application.getMessage("idempotent.problem." + refusal.code() + "." + part, null, null,
				locale);
		if (own != null) {
			return own;
		}
		String page = this.ours.getMessage("idempotent.page." + refusal.code() + "." + part, null, null, locale);
		return (page != null) ? page : problem;
	}

	private String wayBack(HttpServletRequest request, Locale locale) {
		String form = form(request);
		return (form != null)
				? "<a href=\"%s\">%s</a>".formatted(escape(form), escape(message("idempotent.page.back", locale)))
				: escape(message("idempotent.page.back-button", locale));
	}

	private String message(String code, Locale locale) {
		return this.ours.getMessage(code, null, locale);
	}

	/**
	 * The page that the request came from, if it is one of this server.
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

	/** The page is UTF-8, so that only what has a meaning in HTML is escaped. */
	private static String escape(String text) {
		return HtmlUtils.htmlEscape(text, StandardCharsets.UTF_8.name());
	}

}

package io.idempotent.webmvc.internal.refusal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.support.ApplicationMessages;
import io.idempotent.webmvc.ProblemRenderer;
import io.idempotent.webmvc.internal.request.QueryFields;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.context.MessageSource;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.support.RequestContextUtils;
import org.springframework.web.util.HtmlUtils;

/**
 * An HTML page for a user who has submitted a form: what happened, and a link back. If
 * only a new token is missing, a button sends the entries again with one. The
 * application's messages for a problem take precedence over those of the page.
 */
public record RefusalPage(ApplicationMessages application) {

	private static final String PAGE = """
			<!DOCTYPE html>
			<html lang="%s">
			<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
			<meta name="problem" content="%s"><title>%s</title><style>%s</style></head>
			<body>
			<h1>%s</h1>
			<p>%s</p>
			%s<p>%s</p>
			</body>
			</html>
			""";

	static final String POLICY_HEADER = "Content-Security-Policy";

	private static final String STYLE = "body{font-family:sans-serif;max-width:40em;margin:4em auto;padding:0 1em}"
			+ "button,input{font:inherit}";

	/**
	 * Nothing is loaded, only the style above is applied, and no other site can put the
	 * button into a frame. Where a form may lead is left open: a redirect after it may go
	 * to another site.
	 */
	static final String POLICY = "default-src 'none'; style-src 'sha256-xgon9Dbo3wFvpOKQ5de3MiryaG3DysRQy4I6QsNT0sE='; "
			+ "base-uri 'none'; frame-ancestors 'self'";

	private static final String FORMS = RequestContextUtils.REQUEST_DATA_VALUE_PROCESSOR_BEAN_NAME;

	private static final MessageSource DEFAULTS = new MessageBundle("io.idempotent.webmvc.pages");

	/** {@code title} and {@code detail} are used if the page has none of its own. */
	public String render(Refusal refusal, String title, String detail, KeySource source, HttpServletRequest request,
			Locale locale) {
		String form = resendForm(refusal, source, request, locale);
		String heading = escape(text(refusal, "title", "title", title, locale));
		boolean own = request.getAttribute(ProblemRenderer.MESSAGE_ATTRIBUTE) != null;
		String body = escape(
				own ? detail : text(refusal, "detail", (form != null) ? "again" : "detail", detail, locale));
		String language = escape(message("idempotent.page.language", locale));
		return PAGE.formatted(language, refusal.code(), heading, STYLE, heading, body, (form != null) ? form : "",
				backLink(request, locale));
	}

	/** The form with the entries, if only the token was the reason for the refusal. */
	private @Nullable String resendForm(Refusal refusal, KeySource source, HttpServletRequest request, Locale locale) {
		if ((refusal != Refusal.TOKEN_UNKNOWN && refusal != Refusal.KEY_REUSED) || source != KeySource.TOKEN) {
			return null;
		}
		WebApplicationContext context = RequestContextUtils.findWebApplicationContext(request);
		return (context != null && context.containsBean(FORMS) && context.getBean(FORMS) instanceof ResendForms forms)
				? forms.resendForm(request, QueryFields.inBody(request),
						message("idempotent.page." + refusal.code() + ".resend", locale),
						message("idempotent.page.secret", locale))
				: null;
	}

	private String text(Refusal refusal, String part, String pagePart, String problem, Locale locale) {
		String own = this.application.find("idempotent.problem." + refusal.code() + "." + part, locale);
		if (own != null) {
			return own;
		}
		String page = DEFAULTS.getMessage("idempotent.page." + refusal.code() + "." + pagePart, null, null, locale);
		return (page != null) ? page : problem;
	}

	private String backLink(HttpServletRequest request, Locale locale) {
		String form = FormOrigin.page(request);
		return (form != null)
				? "<a href=\"%s\">%s</a>".formatted(escape(form), escape(message("idempotent.page.back", locale)))
				: escape(message("idempotent.page.back-button", locale));
	}

	private String message(String code, Locale locale) {
		return DEFAULTS.getMessage(code, null, locale);
	}

	/** Escapes only what is special in HTML, since the page is UTF-8. */
	private static String escape(String text) {
		return HtmlUtils.htmlEscape(text, StandardCharsets.UTF_8.name());
	}

	/** Renders forms that send the entries of a refused one again. */
	public interface ResendForms {

		/**
		 * The form as HTML, or {@code null} if the entries must not or cannot be sent
		 * again. The text {@code again} precedes the fields that must be entered again.
		 */
		@Nullable String resendForm(HttpServletRequest request, Map<String, List<String>> entries, String button, String again);

	}

}

package io.idempotent.webmvc.internal.refusal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.support.ApplicationMessages;
import io.idempotent.webmvc.ProblemRenderer;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.operation.Operations;
import io.idempotent.webmvc.internal.request.AcceptedTypes;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.context.MessageSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.support.RequestContextUtils;

/**
 * Writes an error document in the format of the profile, or an HTML page if the caller
 * prefers one. Texts are the application's messages
 * {@code idempotent.problem.<code>.title} and {@code .detail}, or defaults.
 */
public final class DefaultProblemRenderer implements ProblemRenderer {

	private static final MediaType[] OFFERS = { MediaType.APPLICATION_PROBLEM_JSON, MediaType.APPLICATION_JSON,
			MediaType.TEXT_HTML, MediaType.APPLICATION_XHTML_XML };

	private final ApplicationMessages application;

	private final HttpSettings settings;

	private final Operations operations;

	private final MessageSource defaults = new MessageBundle("io.idempotent.webmvc.problems");

	private final RefusalPage pages;

	public DefaultProblemRenderer(MessageSource application, HttpSettings settings, Operations operations) {
		this.application = new ApplicationMessages(application);
		this.settings = settings;
		this.operations = operations;
		this.pages = new RefusalPage(this.application);
	}

	@Override
	public void render(Refusal refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
		Locale locale = RequestContextUtils.getLocale(request);
		String own = (String) request.getAttribute(MESSAGE_ATTRIBUTE);
		KeySource source = source(request);
		ErrorDocument document = describe(refusal, locale, source, own);
		boolean page = prefersPage(request);
		String language = message("idempotent.problem.language", "idempotent.problem.language", locale);
		String body = page ? this.pages.render(refusal, document.title(), document.detail(), source, request, locale)
				: ErrorDocument.json(document.members());
		response.setStatus(document.status());
		response.setContentType(page ? "text/html;charset=UTF-8" : document.mediaType());
		response.setHeader(HttpHeaders.CONTENT_LANGUAGE, language);
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		if (page && !response.containsHeader(RefusalPage.POLICY_HEADER)) {
			response.setHeader(RefusalPage.POLICY_HEADER, RefusalPage.POLICY);
		}
		if (document.format() == ErrorFormat.STRIPE) {
			response.setHeader("Stripe-Should-Retry", Boolean.toString(document.retryAfter() != null));
		}
		if (this.settings.problemBase().startsWith("http")) {
			response.addHeader(HttpHeaders.LINK, "<" + document.type() + ">; rel=\"describedby\"");
		}
		if (document.retryAfter() != null) {
			response.setHeader(HttpHeaders.RETRY_AFTER, document.retryAfter());
		}
		write(body, response);
	}

	private static void write(String body, HttpServletResponse response) throws IOException {
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		try {
			ServletOutputStream out = response.getOutputStream();
			response.setContentLength(bytes.length);
			out.write(bytes);
		}
		catch (IllegalStateException ex) {
			// The handler method has the writer already, whose encoding is final.
			response.getWriter().write(body);
		}
	}

	/** Gives the application's renderer the default text if the operation has none. */
	public ProblemRenderer withDefaultTexts(ProblemRenderer application) {
		return (refusal, request, response) -> {
			if (request.getAttribute(MESSAGE_ATTRIBUTE) == null) {
				Locale locale = RequestContextUtils.getLocale(request);
				request.setAttribute(MESSAGE_ATTRIBUTE, describe(refusal, locale, source(request), null).detail());
			}
			application.render(refusal, request, response);
		};
	}

	private KeySource source(HttpServletRequest request) {
		Operation operation = this.operations.find(request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE),
				request);
		return (operation != null) ? operation.source() : KeySource.CONTENT;
	}

	/** With the text of the operation for users, if it has one. */
	public ErrorDocument describe(Refusal refusal, Locale locale, KeySource source, @Nullable String own) {
		String code = "idempotent.problem." + refusal.code();
		String title = message(code + ".title", code + ".title", locale);
		String detail = (own != null) ? own : message(code + ".detail", code + defaultDetail(refusal, source), locale);
		return new ErrorDocument(refusal, this.settings.protocol().errorFormat(), this.settings.status(refusal),
				this.settings.problemBase() + refusal.code(), title, detail, retryAfter(refusal));
	}

	/** In seconds. */
	private static @Nullable String retryAfter(Refusal refusal) {
		return switch (refusal) {
			case IN_PROGRESS, LOCKED, LOCK_LOST_ROLLED_BACK -> "1";
			case STORE_UNAVAILABLE, LOCK_UNAVAILABLE -> "5";
			default -> null;
		};
	}

	/** Only the default messages name the headers and the form field. */
	private String message(String code, String defaultCode, Locale locale) {
		String own = this.application.find(code, locale);
		return (own != null) ? own : this.defaults.getMessage(defaultCode,
				new Object[] { this.settings.keyHeader(), this.settings.tokenHeader(), this.settings.tokenParameter() },
				locale);
	}

	/** A token is expected in its header or, in a form, in its field. */
	private String defaultDetail(Refusal refusal, KeySource source) {
		if (refusal != Refusal.KEY_MISSING && refusal != Refusal.KEY_MALFORMED) {
			return ".detail";
		}
		return switch (source) {
			case TOKEN -> ".token";
			case HEADER -> (refusal == Refusal.KEY_MALFORMED) ? malformedHeader() : ".detail";
			case CONTENT, DEFAULT -> (refusal == Refusal.KEY_MISSING) ? ".content" : ".detail";
		};
	}

	private String malformedHeader() {
		return switch (this.settings.protocol().keySyntax()) {
			case QUOTED_OR_BARE -> ".detail";
			case QUOTED -> ".quoted";
			case OPAQUE -> ".opaque";
		};
	}

	private static boolean prefersPage(HttpServletRequest request) {
		MediaType preferred = AcceptedTypes.prefer(request, OFFERS);
		return MediaType.TEXT_HTML.equals(preferred) || MediaType.APPLICATION_XHTML_XML.equals(preferred);
	}

}

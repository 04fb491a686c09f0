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

	private static final String RETRY_SOON = "1";

	private static final String RETRY_LATER = "5";

	private static final MediaType[] OFFERS = { MediaType.APPLICATION_PROBLEM_JSON, MediaType.APPLICATION_JSON,
			MediaType.TEXT_HTML, MediaType.APPLICATION_XHTML_XML };

	private final ApplicationMessages application;

	private final HttpSettings settings;

	private final Operations operations;

	private final ErrorDocument documents;

	private final MessageSource defaults = new MessageBundle("io.idempotent.webmvc.problems");

	private final RefusalPage pages;

	public DefaultProblemRenderer(MessageSource application, HttpSettings settings, Operations operations) {
		this.application = new ApplicationMessages(application);
		this.settings = settings;
		this.operations = operations;
		this.documents = new ErrorDocument(settings.protocol().errorFormat());
		this.pages = new RefusalPage(this.application, (request) -> source(request) == KeySource.TOKEN);
	}

	@Override
	public void render(Refusal refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
		Locale locale = RequestContextUtils.getLocale(request);
		String header = expectedHeader(request);
		String own = (String) request.getAttribute(MESSAGE_ATTRIBUTE);
		DescribedProblem problem = describe(refusal, locale, header, own);
		boolean page = prefersPage(request);
		String language = message("idempotent.problem.language", "idempotent.problem.language", null, locale);
		byte[] body = (page ? this.pages.render(refusal, problem.title(), problem.detail(), request, locale)
				: ErrorDocument.json(problem.body()))
			.getBytes(StandardCharsets.UTF_8);
		response.setStatus(problem.status());
		response.setContentType(page ? "text/html;charset=UTF-8" : problem.mediaType());
		response.setHeader(HttpHeaders.CONTENT_LANGUAGE, language);
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		if (page && !response.containsHeader(RefusalPage.POLICY_HEADER)) {
			response.setHeader(RefusalPage.POLICY_HEADER, RefusalPage.POLICY);
		}
		if (problem.format() == ErrorFormat.STRIPE) {
			response.setHeader("Stripe-Should-Retry", Boolean.toString(problem.retryAfter() != null));
		}
		if (this.settings.problemBase().startsWith("http")) {
			response.addHeader(HttpHeaders.LINK, "<" + type(refusal) + ">; rel=\"describedby\"");
		}
		if (problem.retryAfter() != null) {
			response.setHeader(HttpHeaders.RETRY_AFTER, problem.retryAfter());
		}
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

	/**
	 * Gives the application's renderer the default text if the operation has none of its
	 * own.
	 */
	public ProblemRenderer withDefaultTexts(ProblemRenderer application) {
		return (refusal, request, response) -> {
			if (request.getAttribute(MESSAGE_ATTRIBUTE) == null) {
				Locale locale = RequestContextUtils.getLocale(request);
				request.setAttribute(MESSAGE_ATTRIBUTE, describe(refusal, locale, expectedHeader(request)).detail());
			}
			application.render(refusal, request, response);
		};
	}

	/** {@code null} if the content is the key. */
	private @Nullable String expectedHeader(HttpServletRequest request) {
		return switch (source(request)) {
			case HEADER -> this.settings.keyHeader();
			case TOKEN -> this.settings.tokenHeader();
			case CONTENT, DEFAULT -> null;
		};
	}

	private KeySource source(HttpServletRequest request) {
		Operation operation = this.operations.find(request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE),
				request);
		return (operation != null) ? operation.source() : KeySource.CONTENT;
	}

	public DescribedProblem describe(Refusal refusal, Locale locale, @Nullable String header) {
		return describe(refusal, locale, header, null);
	}

	private DescribedProblem describe(Refusal refusal, Locale locale, @Nullable String header, @Nullable String own) {
		String code = "idempotent.problem." + refusal.code();
		String title = message(code + ".title", code + ".title", header, locale);
		String detail = (own != null) ? own : message(code + ".detail", defaultDetail(refusal, header), header, locale);
		int status = this.settings.status(refusal);
		return new DescribedProblem(refusal, this.settings.protocol().errorFormat(), status, title, detail,
				this.documents.contentType(), this.documents.members(refusal, status, type(refusal), title, detail),
				retryAfter(refusal));
	}

	private static @Nullable String retryAfter(Refusal refusal) {
		return switch (refusal) {
			case IN_PROGRESS, LOCKED, LOCK_LOST_ROLLED_BACK -> RETRY_SOON;
			case STORE_UNAVAILABLE, LOCK_UNAVAILABLE -> RETRY_LATER;
			default -> null;
		};
	}

	/** Only the default messages name the expected header. */
	private String message(String code, String defaultCode, @Nullable String header, Locale locale) {
		String own = this.application.find(code, locale);
		return (own != null) ? own
				: this.defaults.getMessage(defaultCode, new Object[] { (header != null) ? header : "" }, locale);
	}

	private String defaultDetail(Refusal refusal, @Nullable String header) {
		if (refusal == Refusal.KEY_MISSING && header == null) {
			return "idempotent.problem.key-missing.content";
		}
		if (refusal == Refusal.KEY_MALFORMED && this.settings.keyHeader().equals(header)) {
			return switch (this.settings.protocol().keySyntax()) {
				case QUOTED_OR_BARE -> "idempotent.problem.key-malformed.detail";
				case QUOTED -> "idempotent.problem.key-malformed.quoted";
				case OPAQUE -> "idempotent.problem.key-malformed.opaque";
			};
		}
		return "idempotent.problem." + refusal.code() + ".detail";
	}

	private String type(Refusal refusal) {
		return this.settings.problemBase() + refusal.code();
	}

	private static boolean prefersPage(HttpServletRequest request) {
		MediaType preferred = AcceptedTypes.prefer(request, OFFERS);
		return MediaType.TEXT_HTML.equals(preferred) || MediaType.APPLICATION_XHTML_XML.equals(preferred);
	}

}

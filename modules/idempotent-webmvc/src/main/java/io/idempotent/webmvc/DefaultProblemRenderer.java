package io.idempotent.webmvc;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

import io.idempotent.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

import org.springframework.context.MessageSource;
import org.springframework.context.support.ResourceBundleMessageSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.servlet.support.RequestContextUtils;

/**
 * Writes a problem document, or an HTML page if the caller prefers one. The texts are the
 * application's messages {@code idempotent.problem.<code>.title} and {@code .detail}, or
 * the defaults of this module.
 */
final class DefaultProblemRenderer implements ProblemRenderer {

	private static final String RETRY_SOON = "1";

	private static final String RETRY_LATER = "5";

	private static final List<MediaType> JSON = List.of(MediaType.APPLICATION_PROBLEM_JSON, MediaType.APPLICATION_JSON);

	private static final List<MediaType> PAGE = List.of(MediaType.TEXT_HTML, MediaType.APPLICATION_XHTML_XML);

	private final MessageSource application;

	private final ExpectedHeader expected;

	private final String base;

	private final ResourceBundleMessageSource defaults = new ResourceBundleMessageSource();

	private final RefusalPage pages;

	private final JsonFactory json = JsonFactory.builder().build();

	DefaultProblemRenderer(MessageSource application, HttpSettings settings, Operations operations) {
		this.application = application;
		this.expected = new ExpectedHeader(settings, operations);
		this.base = settings.problemBase();
		this.defaults.setBasename("io.idempotent.webmvc.problems");
		this.defaults.setDefaultEncoding(StandardCharsets.UTF_8.name());
		this.defaults.setFallbackToSystemLocale(false);
		this.pages = new RefusalPage(application, this.expected::isToken);
	}

	@Override
	public void render(Refusal refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
		Locale locale = RequestContextUtils.getLocale(request);
		String header = this.expected.of(request);
		Problem problem = new Problem(refusal, status(refusal), message(refusal, "title", locale, header),
				message(refusal, "detail", locale, header));
		boolean page = prefersPage(request.getHeader(HttpHeaders.ACCEPT));
		String language = message(refusal, "language", locale, "");
		byte[] body = (page ? this.pages.render(refusal, problem.title(), problem.detail(), request, locale)
				: document(problem))
			.getBytes(StandardCharsets.UTF_8);
		response.setStatus(problem.status());
		response.setContentType(page ? "text/html;charset=UTF-8" : MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.setHeader(HttpHeaders.CONTENT_LANGUAGE, language);
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		if (page && !response.containsHeader(RefusalPage.POLICY_HEADER)) {
			response.setHeader(RefusalPage.POLICY_HEADER, RefusalPage.POLICY);
		}
		if (this.base.startsWith("http")) {
			response.addHeader(HttpHeaders.LINK, "<" + type(refusal) + ">; rel=\"describedby\"");
		}
		String retryAfter = retryAfter(refusal);
		if (retryAfter != null) {
			response.setHeader(HttpHeaders.RETRY_AFTER, retryAfter);
		}
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

	static int status(Refusal refusal) {
		return switch (refusal) {
			case KEY_MISSING, KEY_MALFORMED -> 400;
			case DUPLICATE, RESPONSE_UNAVAILABLE, IN_PROGRESS, OUTCOME_UNKNOWN, TOKEN_UNKNOWN, LOCKED -> 409;
			case CALLER_UNNAMED -> 403;
			case BODY_TOO_LARGE -> 413;
			case KEY_REUSED -> 422;
			case RECORD_UNREADABLE, LOCK_LOST -> 500;
			case STORE_UNAVAILABLE, LOCK_UNAVAILABLE, LOCK_LOST_ROLLED_BACK -> 503;
		};
	}

	private static @Nullable String retryAfter(Refusal refusal) {
		return switch (refusal) {
			case IN_PROGRESS, LOCKED, LOCK_LOST_ROLLED_BACK -> RETRY_SOON;
			case STORE_UNAVAILABLE, LOCK_UNAVAILABLE -> RETRY_LATER;
			default -> null;
		};
	}

	/**
	 * The default messages name the expected header; the application's are used as they
	 * are.
	 */
	private String message(Refusal refusal, String part, Locale locale, @Nullable String header) {
		String code = part.equals("language") ? "idempotent.problem.language"
				: "idempotent.problem." + refusal.code() + "." + part;
		String own = this.application.getMessage(code, null, null, locale);
		if (own != null) {
			return own;
		}
		return (header == null && refusal == Refusal.KEY_MISSING && part.equals("detail"))
				? this.defaults.getMessage("idempotent.problem.key-missing.content", null, locale)
				: this.defaults.getMessage(code, new Object[] { (header != null) ? header : "" }, locale);
	}

	private String type(Refusal refusal) {
		return this.base + refusal.code();
	}

	private String document(Problem problem) {
		StringWriter text = new StringWriter();
		try (JsonGenerator out = this.json.createGenerator(ObjectWriteContext.empty(), text)) {
			out.writeStartObject();
			out.writeStringProperty("type", type(problem.refusal()));
			out.writeStringProperty("title", problem.title());
			out.writeNumberProperty("status", problem.status());
			out.writeStringProperty("detail", problem.detail());
			out.writeStringProperty("code", problem.refusal().code());
			out.writeEndObject();
		}
		return text.toString();
	}

	private static boolean prefersPage(@Nullable String accept) {
		if (accept == null) {
			return false;
		}
		try {
			List<MediaType> accepted = MediaType.parseMediaTypes(accept);
			MimeTypeUtils.sortBySpecificity(accepted);
			accepted.sort((left, right) -> Double.compare(right.getQualityValue(), left.getQualityValue()));
			// A quality of 0 means not acceptable.
			accepted.removeIf((type) -> type.getQualityValue() == 0);
			for (MediaType type : accepted) {
				if (JSON.stream().anyMatch(type::includes)) {
					return false;
				}
				if (PAGE.stream().anyMatch(type::includes)) {
					return true;
				}
			}
			return false;
		}
		catch (InvalidMediaTypeException | InvalidMimeTypeException ex) {
			// Malformed, or too many media types to sort.
			return false;
		}
	}

	private record Problem(Refusal refusal, int status, String title, String detail) {
	}

}

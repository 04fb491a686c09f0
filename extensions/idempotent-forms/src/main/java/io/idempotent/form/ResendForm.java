package io.idempotent.form;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.idempotent.webmvc.internal.refusal.FormOrigin;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.util.HtmlUtils;

/** The entries of a refused form, with a new token. Secret fields are entered again. */
final class ResendForm {

	private static final int MAX_FIELDS = 500;

	private static final int MAX_CHARACTERS = 64 * 1024;

	/** A media type that Turbo accepts, but no browser. */
	private static final String TURBO = "text/vnd.turbo-stream.html";

	private final String action;

	private final Map<String, String> generated;

	private final Map<String, List<String>> entries;

	private final SecretFields secrets;

	private ResendForm(String action, Map<String, String> generated, Map<String, List<String>> entries,
			SecretFields secrets) {
		this.action = action;
		this.generated = generated;
		this.entries = entries;
		this.secrets = secrets;
	}

	/** Returns {@code null} if the entries must not or cannot be sent again. */
	static @Nullable ResendForm of(HttpServletRequest request, Map<String, List<String>> entries,
			TokenFieldProcessor processor, SecretFields secrets) {
		if (!isUrlEncoded(request.getHeader(HttpHeaders.CONTENT_TYPE)) || isTooLarge(entries)
				|| !FormOrigin.isCertain(request)) {
			return null;
		}
		Map<String, String> generated = processor.fieldsOfCurrentForm(request);
		return (generated != null) ? new ResendForm(action(request), generated, entries, secrets) : null;
	}

	/** A browser needs no action, but Turbo shows the page at the previous address. */
	private static String action(HttpServletRequest request) {
		String accepted = request.getHeader(HttpHeaders.ACCEPT);
		String path = FormAction.page(request);
		// Two slashes would lead to another host.
		if (accepted == null || !accepted.contains(TURBO) || path.startsWith("//")) {
			return "";
		}
		String query = request.getQueryString();
		return " action=\"" + escape((query != null) ? path + "?" + query : path) + "\"";
	}

	private static boolean isUrlEncoded(@Nullable String contentType) {
		try {
			return contentType != null
					&& MediaType.APPLICATION_FORM_URLENCODED.includes(MediaType.parseMediaType(contentType));
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

	private static boolean isTooLarge(Map<String, List<String>> entries) {
		int fields = 0;
		long characters = 0;
		for (Map.Entry<String, List<String>> entry : entries.entrySet()) {
			fields += entry.getValue().size();
			for (String value : entry.getValue()) {
				characters += entry.getKey().length() + value.length();
			}
		}
		return fields > MAX_FIELDS || characters > MAX_CHARACTERS;
	}

	/** The text {@code again} stands before the fields that must be entered again. */
	String html(String button, String again) {
		StringBuilder hidden = new StringBuilder();
		StringBuilder secret = new StringBuilder();
		this.entries.forEach((name, values) -> {
			if (this.generated.containsKey(name)) {
				return;
			}
			for (String value : values) {
				if (!this.secrets.include(name)) {
					hidden.append(hidden(name, value));
				}
				else if (!value.isEmpty()) {
					secret.append("<p><label>%s <input type=\"password\" name=\"%s\" required></label></p>\n"
						.formatted(escape(name), escape(name)));
				}
			}
		});
		this.generated.forEach((name, value) -> hidden.append(hidden(name, value)));
		String before = secret.isEmpty() ? "" : "<p>" + escape(again) + "</p>\n" + secret;
		return "<form method=\"post\"" + this.action + ">\n" + hidden + before + "<p><button>" + escape(button)
				+ "</button></p>\n</form>\n";
	}

	private static String hidden(String name, String value) {
		return "<input type=\"hidden\" name=\"" + escape(name) + "\" value=\"" + escape(value) + "\">\n";
	}

	/** Escapes only what is special in HTML, since the page is UTF-8. */
	private static String escape(String text) {
		return HtmlUtils.htmlEscape(text, StandardCharsets.UTF_8.name());
	}

}

package io.idempotent.webmvc.internal.refusal;

import java.io.StringWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.Refusal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The description of a refusal in the format of the protocol, such as RFC 9457.
 *
 * @param retryAfter the seconds after which to try again, or {@code null}
 */
public record ErrorDocument(Refusal refusal, ErrorFormat format, int status, String type, String title, String detail,
		@Nullable String retryAfter) {

	private static final JsonFactory JSON = JsonFactory.builder().build();

	public String code() {
		return this.format.code(this.refusal);
	}

	public String mediaType() {
		return (this.format == ErrorFormat.PROBLEM) ? "application/problem+json" : "application/json";
	}

	/** The members of the JSON object, in their order: texts, integers and objects. */
	public Map<String, Object> members() {
		Map<String, Object> members = new LinkedHashMap<>();
		switch (this.format) {
			case PROBLEM -> {
				members.put("type", this.type);
				members.put("title", this.title);
				members.put("status", this.status);
				members.put("detail", this.detail);
				members.put("code", code());
			}
			case STRIPE -> members.put("error", error(stripeType()));
			case ACP -> members.putAll(error(acpType()));
		}
		return Collections.unmodifiableMap(members);
	}

	private Map<String, Object> error(String errorType) {
		Map<String, Object> error = new LinkedHashMap<>();
		error.put("type", errorType);
		error.put("code", code());
		error.put("message", this.detail);
		return Collections.unmodifiableMap(error);
	}

	private String stripeType() {
		if (this.status >= 500) {
			return "api_error";
		}
		return switch (this.refusal) {
			case KEY_REUSED, IN_PROGRESS, DUPLICATE, RESPONSE_UNAVAILABLE, OUTCOME_UNKNOWN -> "idempotency_error";
			default -> "invalid_request_error";
		};
	}

	private String acpType() {
		if (this.status < 500) {
			return "invalid_request";
		}
		return switch (this.refusal) {
			case STORE_UNAVAILABLE, LOCK_UNAVAILABLE, LOCK_LOST_ROLLED_BACK -> "service_unavailable";
			default -> "processing_error";
		};
	}

	/** Values are numbers, objects and texts. */
	public static String json(Map<String, Object> members) {
		StringWriter text = new StringWriter();
		try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
			write(members, out);
		}
		return text.toString();
	}

	private static void write(Map<?, ?> members, JsonGenerator out) {
		out.writeStartObject();
		members.forEach((name, value) -> {
			out.writeName(String.valueOf(name));
			if (value instanceof Map<?, ?> nested) {
				write(nested, out);
			}
			else if (value instanceof Number number) {
				out.writeNumber(number.longValue());
			}
			else {
				out.writeString(String.valueOf(value));
			}
		});
		out.writeEndObject();
	}

}

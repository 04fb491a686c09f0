package io.idempotent.webmvc.internal.refusal;

import java.io.StringWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.Refusal;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes the body of a refusal in the format of the protocol, such as RFC 9457. */
public record ErrorDocument(ErrorFormat format) {

	private static final JsonFactory JSON = JsonFactory.builder().build();

	String contentType() {
		return (this.format == ErrorFormat.PROBLEM) ? "application/problem+json" : "application/json";
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

	/** The members of the JSON object, in their order: texts, integers and objects. */
	Map<String, Object> members(Refusal refusal, int status, String type, String title, String detail) {
		Map<String, Object> members = new LinkedHashMap<>();
		switch (this.format) {
			case PROBLEM -> {
				members.put("type", type);
				members.put("title", title);
				members.put("status", status);
				members.put("detail", detail);
				members.put("code", this.format.code(refusal));
			}
			case STRIPE -> members.put("error", error(stripeType(refusal, status), refusal, detail));
			case ACP -> members.putAll(error(acpType(refusal, status), refusal, detail));
		}
		return Collections.unmodifiableMap(members);
	}

	private Map<String, Object> error(String type, Refusal refusal, String detail) {
		Map<String, Object> error = new LinkedHashMap<>();
		error.put("type", type);
		error.put("code", this.format.code(refusal));
		error.put("message", detail);
		return Collections.unmodifiableMap(error);
	}

	private static String stripeType(Refusal refusal, int status) {
		if (status >= 500) {
			return "api_error";
		}
		return switch (refusal) {
			case KEY_REUSED, IN_PROGRESS, DUPLICATE, RESPONSE_UNAVAILABLE, OUTCOME_UNKNOWN -> "idempotency_error";
			default -> "invalid_request_error";
		};
	}

	private static String acpType(Refusal refusal, int status) {
		if (status < 500) {
			return "invalid_request";
		}
		return switch (refusal) {
			case STORE_UNAVAILABLE, LOCK_UNAVAILABLE, LOCK_LOST_ROLLED_BACK -> "service_unavailable";
			default -> "processing_error";
		};
	}

}

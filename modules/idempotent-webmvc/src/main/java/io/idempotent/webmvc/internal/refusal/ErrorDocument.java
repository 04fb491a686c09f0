package io.idempotent.webmvc.internal.refusal;

import java.io.StringWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.webmvc.internal.refusal.DefaultProblemRenderer.Problem;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes the body of a refusal in the format of the protocol, such as RFC 9457. */
record ErrorDocument(ErrorFormat format) {

	private static final JsonFactory JSON = JsonFactory.builder().build();

	String contentType() {
		return (this.format == ErrorFormat.PROBLEM) ? "application/problem+json" : "application/json";
	}

	Map<String, String> headers(Problem problem) {
		if (this.format != ErrorFormat.STRIPE) {
			return Map.of();
		}
		return switch (problem.refusal()) {
			case IN_PROGRESS, STORE_UNAVAILABLE, LOCKED, LOCK_UNAVAILABLE, LOCK_LOST_ROLLED_BACK ->
				Map.of("Stripe-Should-Retry", "true");
			default -> Map.of("Stripe-Should-Retry", "false");
		};
	}

	String body(Problem problem) {
		StringWriter text = new StringWriter();
		try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
			write(members(problem), out);
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
			else if (value instanceof Integer number) {
				out.writeNumber(number);
			}
			else {
				out.writeString(String.valueOf(value));
			}
		});
		out.writeEndObject();
	}

	/** The members of the JSON object, in their order: texts, integers and objects. */
	Map<String, Object> members(Problem problem) {
		return switch (this.format) {
			case PROBLEM -> problemDetail(problem);
			case STRIPE -> Map.of("error", error(stripeType(problem), problem));
			case ACP -> error(acpType(problem), problem);
		};
	}

	private Map<String, Object> problemDetail(Problem problem) {
		Map<String, Object> members = new LinkedHashMap<>();
		members.put("type", problem.type());
		members.put("title", problem.title());
		members.put("status", problem.status());
		members.put("detail", problem.detail());
		members.put("code", this.format.code(problem.refusal()));
		return Collections.unmodifiableMap(members);
	}

	private Map<String, Object> error(String type, Problem problem) {
		Map<String, Object> error = new LinkedHashMap<>();
		error.put("type", type);
		error.put("code", this.format.code(problem.refusal()));
		error.put("message", problem.detail());
		return Collections.unmodifiableMap(error);
	}

	private static String stripeType(Problem problem) {
		if (problem.status() >= 500) {
			return "api_error";
		}
		return switch (problem.refusal()) {
			case KEY_REUSED, IN_PROGRESS, DUPLICATE, RESPONSE_UNAVAILABLE, OUTCOME_UNKNOWN -> "idempotency_error";
			default -> "invalid_request_error";
		};
	}

	private static String acpType(Problem problem) {
		if (problem.status() < 500) {
			return "invalid_request";
		}
		return switch (problem.refusal()) {
			case STORE_UNAVAILABLE, LOCK_UNAVAILABLE, LOCK_LOST_ROLLED_BACK -> "service_unavailable";
			default -> "processing_error";
		};
	}

}

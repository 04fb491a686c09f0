package io.idempotent.webmvc.internal.refusal;

import java.io.StringWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.Refusal;
import io.idempotent.webmvc.internal.refusal.DefaultProblemRenderer.Problem;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes the body of a refusal in the format of a protocol.
 */
abstract class ErrorDocument {

	private final JsonFactory json = JsonFactory.builder().build();

	static ErrorDocument of(ErrorFormat format) {
		return switch (format) {
			case PROBLEM -> new ProblemDocument();
			case STRIPE -> new StripeError();
			case ACP -> new AcpError();
		};
	}

	String contentType() {
		return "application/json";
	}

	/**
	 * The response headers of this format.
	 */
	Map<String, String> headers(Problem problem) {
		return Map.of();
	}

	final String body(Problem problem) {
		StringWriter text = new StringWriter();
		try (JsonGenerator out = this.json.createGenerator(ObjectWriteContext.empty(), text)) {
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

	/**
	 * The members of the JSON object, in their order: texts, integers and objects.
	 */
	abstract Map<String, Object> members(Problem problem);

	/**
	 * The object that most protocols know.
	 */
	private static Map<String, Object> error(String type, String code, String message) {
		Map<String, Object> error = new LinkedHashMap<>();
		error.put("type", type);
		error.put("code", code);
		error.put("message", message);
		return Collections.unmodifiableMap(error);
	}

	/**
	 * RFC 9457.
	 */
	private static final class ProblemDocument extends ErrorDocument {

		@Override
		String contentType() {
			return "application/problem+json";
		}

		@Override
		Map<String, Object> members(Problem problem) {
			Map<String, Object> members = new LinkedHashMap<>();
			members.put("type", problem.type());
			members.put("title", problem.title());
			members.put("status", problem.status());
			members.put("detail", problem.detail());
			members.put("code", ErrorFormat.PROBLEM.code(problem.refusal()));
			return Collections.unmodifiableMap(members);
		}

	}

	/**
	 * Stripe's error object.
	 */
	private static final class StripeError extends ErrorDocument {

		@Override
		Map<String, String> headers(Problem problem) {
			return switch (problem.refusal()) {
				case IN_PROGRESS, STORE_UNAVAILABLE, LOCKED, LOCK_UNAVAILABLE, LOCK_LOST_ROLLED_BACK ->
					Map.of("Stripe-Should-Retry", "true");
				default -> Map.of("Stripe-Should-Retry", "false");
			};
		}

		@Override
		Map<String, Object> members(Problem problem) {
			return Map.of("error", error(type(problem), ErrorFormat.STRIPE.code(problem.refusal()), problem.detail()));
		}

		private static String type(Problem problem) {
			if (problem.status() >= 500) {
				return "api_error";
			}
			return switch (problem.refusal()) {
				case KEY_REUSED, IN_PROGRESS, DUPLICATE, RESPONSE_UNAVAILABLE, OUTCOME_UNKNOWN -> "idempotency_error";
				default -> "invalid_request_error";
			};
		}

	}

	/**
	 * The error object of the agentic-commerce protocol.
	 */
	private static final class AcpError extends ErrorDocument {

		@Override
		Map<String, Object> members(Problem problem) {
			return error(type(problem), ErrorFormat.ACP.code(problem.refusal()), problem.detail());
		}

		private static String type(Problem problem) {
			if (problem.status() < 500) {
				return "invalid_request";
			}
			boolean unavailable = problem.refusal() == Refusal.STORE_UNAVAILABLE
					|| problem.refusal() == Refusal.LOCK_UNAVAILABLE
					|| problem.refusal() == Refusal.LOCK_LOST_ROLLED_BACK;
			return unavailable ? "service_unavailable" : "processing_error";
		}

	}

}

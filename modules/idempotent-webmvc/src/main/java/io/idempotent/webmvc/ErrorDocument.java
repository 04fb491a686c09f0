package io.idempotent.webmvc;

import java.io.StringWriter;
import java.util.Map;

import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.Refusal;
import io.idempotent.webmvc.DefaultProblemRenderer.Problem;
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
			out.writeStartObject();
			writeMembers(problem, out);
			out.writeEndObject();
		}
		return text.toString();
	}

	abstract void writeMembers(Problem problem, JsonGenerator out);

	/**
	 * RFC 9457.
	 */
	private static final class ProblemDocument extends ErrorDocument {

		@Override
		String contentType() {
			return "application/problem+json";
		}

		@Override
		void writeMembers(Problem problem, JsonGenerator out) {
			out.writeStringProperty("type", problem.type());
			out.writeStringProperty("title", problem.title());
			out.writeNumberProperty("status", problem.status());
			out.writeStringProperty("detail", problem.detail());
			out.writeStringProperty("code", ErrorFormat.PROBLEM.code(problem.refusal()));
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
		void writeMembers(Problem problem, JsonGenerator out) {
			out.writeName("error");
			out.writeStartObject();
			out.writeStringProperty("type", type(problem));
			out.writeStringProperty("code", ErrorFormat.STRIPE.code(problem.refusal()));
			out.writeStringProperty("message", problem.detail());
			out.writeEndObject();
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
		void writeMembers(Problem problem, JsonGenerator out) {
			out.writeStringProperty("type", type(problem));
			out.writeStringProperty("code", ErrorFormat.ACP.code(problem.refusal()));
			out.writeStringProperty("message", problem.detail());
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

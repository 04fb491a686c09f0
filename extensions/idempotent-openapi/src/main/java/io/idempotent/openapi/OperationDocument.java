package io.idempotent.openapi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.idempotent.Refusal;
import io.idempotent.openapi.OperationDescriptions.Described;
import io.idempotent.openapi.OperationDescriptions.DescribedTokens;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.webmvc.internal.refusal.ErrorDocument;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiLocaleCustomizer;

/** Documents idempotent operations and the endpoint for tokens; keeps what is there. */
final class OperationDocument implements OpenApiLocaleCustomizer {

	private static final String BAD_REQUEST = "400";

	private final OperationDescriptions descriptions;

	OperationDocument(OperationDescriptions descriptions) {
		this.descriptions = descriptions;
	}

	@Override
	public void customise(OpenAPI document, Locale locale) {
		if (document.getPaths() == null) {
			return;
		}
		document.getPaths()
			.values()
			.stream()
			.flatMap((path) -> path.readOperationsMap().entrySet().stream())
			.forEach((operation) -> document(document, operation.getKey().name(), operation.getValue(), locale));
	}

	private void document(OpenAPI document, String method, Operation operation, Locale locale) {
		String name = OperationMarker.name(operation);
		if (name != null) {
			OperationMarker.remove(operation);
			Described described = this.descriptions.describe(name, method, locale);
			if (described != null) {
				document(document, operation, name, described);
			}
		}
		else if (OperationMarker.issuesTokens(operation)) {
			tokens(document, operation, this.descriptions.tokens(locale));
		}
	}

	private static void document(OpenAPI document, Operation operation, String name, Described described) {
		// A request without a body cannot have one that is too large.
		List<ErrorDocument> problems = described.problems()
			.stream()
			.filter((problem) -> problem.refusal() != Refusal.BODY_TOO_LARGE || operation.getRequestBody() != null)
			.toList();
		operation.setDescription(paragraphs(operation.getDescription(), described.text()));
		operation.addExtension(OperationMarker.EXTENSION, extension(name, described, problems));
		if (described.key() != null) {
			KeyParameters.add(operation, described.key());
		}
		ApiResponses responses = responses(operation);
		Replays.mark(responses, described);
		new ProblemResponses(document, responses).add(problems, described.retryAfter());
		Replays.addLifetime(responses, described);
		if (described.echoed() != null) {
			Headers.addToEach(responses, described.echoed(), Schemas.ofType("string"));
		}
	}

	private static void tokens(OpenAPI document, Operation operation, DescribedTokens described) {
		OperationMarker.remove(operation);
		operation.setOperationId("issueToken");
		operation.setDescription(paragraphs(operation.getDescription(), described.text()));
		ApiResponses responses = responses(operation);
		responses.computeIfAbsent("200", (status) -> new ApiResponse().description("OK")).setContent(issued());
		responses.computeIfAbsent(BAD_REQUEST, (status) -> new ApiResponse().description(described.unknownOperation()));
		new ProblemResponses(document, responses).add(described.problems(), described.retryAfter());
	}

	private static Content issued() {
		Schema<Object> issued = Schemas.ofType("object");
		issued.addProperty("token", Schemas.ofType("string"));
		issued.addProperty("header", Schemas.ofType("string"));
		issued.addProperty("expiresIn", Schemas.ofType("integer"));
		issued.setRequired(List.of("token", "header", "expiresIn"));
		return new Content().addMediaType("application/json", new MediaType().schema(issued))
			.addMediaType("text/plain", new MediaType().schema(Schemas.ofType("string")));
	}

	private static ApiResponses responses(Operation operation) {
		if (operation.getResponses() == null) {
			operation.setResponses(new ApiResponses());
		}
		return operation.getResponses();
	}

	private static Map<String, Object> extension(String name, Described described, List<ErrorDocument> problems) {
		OperationPolicy policy = described.policy();
		Map<String, Object> extension = new LinkedHashMap<>();
		extension.put("operation", name);
		extension.put("source", text(described.source()));
		extension.put("retention", policy.retention().toString());
		extension.put("whenCompleted", text(policy.whenCompleted()));
		extension.put("whenInProgress", text(policy.whenInProgress()));
		if (!described.replayErrors().isEmpty()) {
			extension.put("replayErrors", described.replayErrors());
		}
		extension.put("problems", problems.stream().map(ErrorDocument::code).toList());
		return extension;
	}

	/** As it is written in a property. */
	private static String text(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

	/** Adds a paragraph to a text in Markdown. */
	static String paragraphs(@Nullable String text, String added) {
		List<String> paragraphs = new ArrayList<>();
		if (text != null && !text.isBlank()) {
			paragraphs.add(text);
		}
		paragraphs.add(added);
		return String.join("\n\n", paragraphs);
	}

}

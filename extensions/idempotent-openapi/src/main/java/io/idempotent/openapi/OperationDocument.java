package io.idempotent.openapi;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.openapi.OperationDescriptions.SentKey;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.webmvc.internal.HttpIdempotency;
import io.idempotent.webmvc.internal.operation.HttpSettings;
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

import org.springframework.util.StringUtils;

/** Documents idempotent operations and the endpoint for tokens; keeps what is there. */
final class OperationDocument implements OpenApiLocaleCustomizer {

	private final HttpIdempotency idempotency;

	private final HttpSettings settings;

	private final OperationDescriptions descriptions;

	OperationDocument(HttpIdempotency idempotency, OperationDescriptions descriptions) {
		this.idempotency = idempotency;
		this.settings = idempotency.settings();
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
		String name = OperationMarker.remove(operation);
		if (OperationMarker.ISSUES_TOKENS.equals(name)) {
			documentTokens(document, operation, locale);
		}
		else if (name != null) {
			var idempotent = this.idempotency.find(name, method);
			if (idempotent != null) {
				document(document, operation, idempotent, locale);
			}
		}
	}

	private void document(OpenAPI document, Operation operation,
			io.idempotent.webmvc.internal.operation.Operation idempotent, Locale locale) {
		// A request without a body cannot have one that is too large.
		List<ErrorDocument> problems = this.descriptions.problems(idempotent, locale)
			.stream()
			.filter((problem) -> problem.refusal() != Refusal.BODY_TOO_LARGE || operation.getRequestBody() != null)
			.toList();
		OperationPolicy policy = idempotent.policy();
		operation.setDescription(paragraphs(operation.getDescription(), this.descriptions.promise(idempotent, locale)));
		operation.addExtension(OperationMarker.EXTENSION, extension(idempotent, problems));
		SentKey key = this.descriptions.key(idempotent, locale);
		if (key != null) {
			KeyParameters.add(operation, key);
		}
		ApiResponses responses = responses(operation);
		IntPredicate recorded = (status) -> (status >= 200 && status < 400)
				|| idempotent.replayErrors().contains(status);
		if (policy.whenCompleted() == WhenCompleted.REPLAY) {
			Schema<String> mark = Schemas.ofType("string");
			mark.addEnumItemObject("true");
			ResponseHeaders.add(responses, recorded, this.settings.replayedHeader(), text("replayed", locale), mark);
		}
		ProblemResponses.add(document, responses, problems, text("retry-after", locale));
		if (idempotent.source() == KeySource.HEADER) {
			addLifetime(responses, recorded, policy.refusalOfDuplicate(), problems, locale);
			if (this.settings.protocol().echoKey()) {
				ResponseHeaders.add(responses, (any) -> true, this.settings.keyHeader(), text("echoed", locale),
						Schemas.ofType("string"));
			}
		}
	}

	/** In each response of a completed operation. */
	private void addLifetime(ApiResponses responses, IntPredicate recorded, Refusal ofDuplicate,
			List<ErrorDocument> problems, Locale locale) {
		Set<Integer> refusals = problems.stream()
			.filter((problem) -> problem.refusal() == ofDuplicate)
			.map(ErrorDocument::status)
			.collect(Collectors.toSet());
		ResponseHeaders.add(responses, recorded.or(refusals::contains), HttpSettings.TTL_HEADER,
				text("ttl", locale, this.settings.keyHeader()), Schemas.seconds(BigDecimal.ZERO));
	}

	private void documentTokens(OpenAPI document, Operation operation, Locale locale) {
		operation.setOperationId("issueToken");
		operation.setDescription(
				paragraphs(operation.getDescription(), text("tokens", locale, this.settings.tokenHeader())));
		ApiResponses responses = responses(operation);
		responses.computeIfAbsent("200", (status) -> new ApiResponse().description("OK")).setContent(issued());
		responses.computeIfAbsent("400",
				(status) -> new ApiResponse().description(text("tokens.unknown-operation", locale)));
		ProblemResponses.add(document, responses, this.descriptions.problemsOfTokens(locale),
				text("retry-after", locale));
	}

	private static Content issued() {
		Schema<Object> issued = Schemas.object(List.of("token", "header", "expiresIn"), Map.of("token",
				Schemas.ofType("string"), "header", Schemas.ofType("string"), "expiresIn", Schemas.ofType("integer")));
		return new Content().addMediaType("application/json", new MediaType().schema(issued))
			.addMediaType("text/plain", new MediaType().schema(Schemas.ofType("string")));
	}

	private String text(String name, Locale locale, Object... arguments) {
		return this.descriptions.text(name, locale, arguments);
	}

	private static ApiResponses responses(Operation operation) {
		if (operation.getResponses() == null) {
			operation.setResponses(new ApiResponses());
		}
		return operation.getResponses();
	}

	private static Map<String, Object> extension(io.idempotent.webmvc.internal.operation.Operation idempotent,
			List<ErrorDocument> problems) {
		OperationPolicy policy = idempotent.policy();
		Map<String, Object> extension = new LinkedHashMap<>();
		extension.put("operation", idempotent.name());
		extension.put("source", text(idempotent.source()));
		extension.put("retention", policy.retention().toString());
		extension.put("whenCompleted", text(policy.whenCompleted()));
		extension.put("whenInProgress", text(policy.whenInProgress()));
		List<String> replayErrors = idempotent.replayErrors().texts();
		if (!replayErrors.isEmpty()) {
			extension.put("replayErrors", replayErrors);
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
		return StringUtils.hasText(text) ? text + "\n\n" + added : added;
	}

}

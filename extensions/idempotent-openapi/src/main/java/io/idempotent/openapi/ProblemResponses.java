package io.idempotent.openapi;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.idempotent.openapi.OperationDescriptions.Header;
import io.idempotent.webmvc.internal.refusal.ErrorDocument;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import org.jspecify.annotations.Nullable;

/** Adds problems to responses. What a response of the same status has, it keeps. */
final class ProblemResponses {

	private static final String SHARED = "#/components/responses/";

	private final OpenAPI document;

	private final ApiResponses responses;

	ProblemResponses(OpenAPI document, ApiResponses responses) {
		this.document = document;
		this.responses = responses;
	}

	/** Adds problems, with the header for those that end by themselves. */
	void add(List<ErrorDocument> problems, Header retryAfter) {
		if (problems.isEmpty()) {
			return;
		}
		problems.stream()
			.map(ErrorDocument::format)
			.distinct()
			.forEach((format) -> ErrorSchemas.add(this.document, format));
		problems.stream()
			.collect(Collectors.groupingBy(ErrorDocument::status, TreeMap::new, Collectors.toList()))
			.forEach((status, sameStatus) -> add(status.toString(), sameStatus, retryAfter));
	}

	private void add(String status, List<ErrorDocument> problems, Header retryAfter) {
		ApiResponse present = resolve(this.responses.get(status));
		ApiResponse response = (present != null) ? SharedParts.copy(present) : new ApiResponse();
		response.setDescription(OperationDocument.paragraphs(response.getDescription(), text(problems)));
		Content content = (response.getContent() != null) ? response.getContent() : new Content();
		problems.stream()
			.collect(Collectors.groupingBy(ErrorDocument::mediaType))
			.forEach((mediaType, ofType) -> content.put(mediaType, merge(content.get(mediaType), ofType)));
		response.setContent(content);
		if (problems.stream().anyMatch((problem) -> problem.retryAfter() != null)) {
			Headers.add(response, retryAfter, Headers.seconds(BigDecimal.ONE));
		}
		this.responses.put(status, response);
	}

	/** Nothing can be added to a reference, so a shared response is copied. */
	private @Nullable ApiResponse resolve(@Nullable ApiResponse response) {
		String reference = (response != null) ? response.get$ref() : null;
		if (reference == null) {
			return response;
		}
		Components components = this.document.getComponents();
		Map<String, ApiResponse> shared = (components != null) ? components.getResponses() : null;
		return (shared != null && reference.startsWith(SHARED)) ? shared.get(reference.substring(SHARED.length()))
				: null;
	}

	private static String text(List<ErrorDocument> problems) {
		return problems.stream()
			.map((problem) -> "- `" + problem.code() + "`: " + problem.detail())
			.collect(Collectors.joining("\n"));
	}

	private static MediaType merge(@Nullable MediaType present, List<ErrorDocument> problems) {
		MediaType merged = (present != null) ? present : new MediaType();
		merged.setSchema(either(merged.getSchema(), ErrorSchemas.reference(problems.get(0).format())));
		Map<String, Example> examples = new LinkedHashMap<>();
		if (merged.getExamples() != null) {
			examples.putAll(merged.getExamples());
		}
		if (merged.getExample() != null) {
			// One media type has either an example or examples.
			examples.put("example", new Example().value(merged.getExample()));
			merged.setExample(null);
			merged.setExampleSetFlag(false);
		}
		problems.forEach((problem) -> examples.putIfAbsent(problem.code(), example(problem)));
		merged.setExamples(examples);
		return merged;
	}

	private static Schema<?> either(@Nullable Schema<?> present, Schema<Object> problem) {
		if (present == null || problem.get$ref().equals(present.get$ref())) {
			return problem;
		}
		Schema<Object> either = new Schema<>();
		either.addAnyOfItem(present);
		either.addAnyOfItem(problem);
		return either;
	}

	private static Example example(ErrorDocument problem) {
		return new Example().summary(problem.title()).value(problem.members());
	}

}

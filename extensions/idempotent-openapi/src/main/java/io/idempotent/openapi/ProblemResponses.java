package io.idempotent.openapi;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

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

	private ProblemResponses() {
	}

	/** The text is that of the header for problems that end by themselves. */
	static void add(OpenAPI document, ApiResponses responses, List<ErrorDocument> problems, String retryAfter) {
		problems.stream().map(ErrorDocument::format).distinct().forEach((format) -> Schemas.add(document, format));
		problems.stream()
			.collect(Collectors.groupingBy(ErrorDocument::status, TreeMap::new, Collectors.toList()))
			.forEach((status, sameStatus) -> responses.compute(status.toString(),
					(known, present) -> with(sameStatus, resolve(document, present), retryAfter)));
	}

	private static ApiResponse with(List<ErrorDocument> problems, @Nullable ApiResponse present, String retryAfter) {
		ApiResponse response = (present != null) ? SharedParts.copy(present) : new ApiResponse();
		response.setDescription(OperationDocument.paragraphs(response.getDescription(), text(problems)));
		Content content = (response.getContent() != null) ? response.getContent() : new Content();
		problems.stream()
			.collect(Collectors.groupingBy(ErrorDocument::mediaType))
			.forEach((mediaType, ofType) -> content.put(mediaType, merge(content.get(mediaType), ofType)));
		response.setContent(content);
		if (problems.stream().anyMatch((problem) -> problem.retryAfter() != null)) {
			ResponseHeaders.add(response, "Retry-After", retryAfter, Schemas.seconds(BigDecimal.ONE));
		}
		return response;
	}

	/** Nothing can be added to a reference, so a shared response is copied. */
	private static @Nullable ApiResponse resolve(OpenAPI document, @Nullable ApiResponse response) {
		String reference = (response != null) ? response.get$ref() : null;
		if (reference == null) {
			return response;
		}
		Components components = document.getComponents();
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
		merged.setSchema(either(merged.getSchema(), Schemas.reference(problems.get(0).format())));
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

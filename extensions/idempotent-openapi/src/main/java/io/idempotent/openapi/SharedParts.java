package io.idempotent.openapi;

import java.util.LinkedHashMap;

import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.responses.ApiResponse;

/** Copies parts that operations of a document may share, before one changes them. */
final class SharedParts {

	private SharedParts() {
	}

	static ApiResponse copy(ApiResponse response) {
		ApiResponse copy = new ApiResponse();
		copy.set$ref(response.get$ref());
		copy.setDescription(response.getDescription());
		copy.setHeaders(response.getHeaders());
		copy.setLinks(response.getLinks());
		copy.setExtensions(response.getExtensions());
		if (response.getContent() != null) {
			Content content = new Content();
			response.getContent().forEach((type, media) -> content.addMediaType(type, copy(media)));
			copy.setContent(content);
		}
		return copy;
	}

	static MediaType copy(MediaType media) {
		MediaType copy = new MediaType();
		copy.setSchema(media.getSchema());
		if (media.getExample() != null) {
			// Absent is not the same as null here.
			copy.setExample(media.getExample());
		}
		copy.setExamples((media.getExamples() != null) ? new LinkedHashMap<>(media.getExamples()) : null);
		copy.setEncoding(media.getEncoding());
		copy.setExtensions(media.getExtensions());
		return copy;
	}

}

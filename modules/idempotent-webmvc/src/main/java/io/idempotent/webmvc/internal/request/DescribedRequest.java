package io.idempotent.webmvc.internal.request;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A request as an operator describes it.
 *
 * @param method the HTTP method
 * @param path the parts of the path
 * @param query the query string, or {@code null}
 * @param contentType the media type of the content, or {@code null} for JSON
 * @param content the body as text
 */
public record DescribedRequest(String method, List<String> path, @Nullable String query, @Nullable String contentType,
		String content) {
}

package io.idempotent.client;

import java.io.EOFException;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;

/** Which response bodies are held in memory, and which have ended early. */
final class BodyLimits {

	/** Clients that accept these types want the parts as they arrive. */
	private static final List<MediaType> STREAMS = List.of(MediaType.TEXT_EVENT_STREAM, MediaType.APPLICATION_NDJSON,
			new MediaType("application", "stream+json"), new MediaType("multipart", "x-mixed-replace"));

	private BodyLimits() {
	}

	/** Whether the body is not held at all. */
	static boolean passes(HttpHeaders headers, int limit) {
		if (contentLength(headers) > limit) {
			return true;
		}
		MediaType type = contentType(headers);
		return type != null && STREAMS.stream().anyMatch((stream) -> stream.equalsTypeAndSubtype(type));
	}

	/** {@code null} if malformed: the peer has processed the request anyway. */
	private static @Nullable MediaType contentType(HttpHeaders headers) {
		try {
			return headers.getContentType();
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private static long contentLength(HttpHeaders headers) {
		try {
			return headers.getContentLength();
		}
		catch (IllegalArgumentException ex) {
			return -1;
		}
	}

	/** Not every client compares a body with its declared length. */
	static void requireWhole(HttpMethod method, HttpStatusCode status, HttpHeaders headers, int length)
			throws EOFException {
		boolean hasNone = HttpMethod.HEAD.equals(method) || status.value() == 204 || status.value() == 304;
		long whole = contentLength(headers);
		if (!hasNone && length < whole && !headers.containsHeader(HttpHeaders.CONTENT_ENCODING)) {
			throw new EOFException("The response ended after " + length + " of " + whole + " bytes of its body");
		}
	}

}

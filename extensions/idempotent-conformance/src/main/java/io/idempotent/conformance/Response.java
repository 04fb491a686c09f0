package io.idempotent.conformance;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.idempotent.conformance.Request.Header;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP response.
 *
 * @param status the status
 * @param headers the headers in their order
 * @param body the body
 */
@SuppressWarnings("ArrayRecordComponent")
record Response(int status, List<Header> headers, byte[] body) {

	@Nullable String header(String name) {
		return this.headers.stream().filter((header) -> header.is(name)).findFirst().map(Header::value).orElse(null);
	}

	boolean has(String name) {
		return header(name) != null;
	}

	String text() {
		return new String(this.body, StandardCharsets.UTF_8);
	}

	boolean isSuccess() {
		return this.status / 100 == 2;
	}

	/** The media type without parameters, in lower case. */
	String mediaType() {
		String type = header("Content-Type");
		return (type == null) ? "" : type.replaceAll(";.*", "").strip().toLowerCase(java.util.Locale.ROOT);
	}

	@Override
	public String toString() {
		String text = text();
		return this.status + (text.isEmpty() ? "" : " " + text.substring(0, Math.min(200, text.length())).strip());
	}

}

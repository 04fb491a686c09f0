package io.idempotent.conformance.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

import io.idempotent.conformance.internal.Request.Header;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP response, with the headers in their order.
 */
@SuppressWarnings("ArrayRecordComponent")
public record Response(int status, List<Header> headers, byte[] body) {

	public @Nullable String header(String name) {
		return Header.find(this.headers, name);
	}

	public String text() {
		return new String(this.body, StandardCharsets.UTF_8);
	}

	public boolean isSuccess() {
		return this.status / 100 == 2;
	}

	/** The media type without parameters, in lower case. */
	public String mediaType() {
		String type = header("Content-Type");
		return (type == null) ? "" : type.replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT);
	}

	@Override
	public String toString() {
		String text = text();
		return this.status + (text.isEmpty() ? "" : " " + text.substring(0, Math.min(200, text.length())).strip());
	}

}

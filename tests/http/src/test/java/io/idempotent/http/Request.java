package io.idempotent.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A request as it goes over the wire.
 *
 * @param method the method
 * @param path path and query
 * @param version the version of the protocol
 * @param headers header lines, without {@code Host} and {@code Content-Length}
 * @param body the body, or {@code null}
 */
@SuppressWarnings("ArrayRecordComponent")
record Request(String method, String path, String version, List<String> headers, byte @Nullable [] body) {

	static Request of(String method, String path) {
		return new Request(method, path, "HTTP/1.1", List.of(), null);
	}

	static Request get(String path) {
		return of("GET", path);
	}

	/**
	 * A POST with a small JSON document, as most submissions are.
	 */
	static Request post(String path) {
		return of("POST", path).body("application/json", "{\"street\":\"Elm Street\",\"weight\":7}");
	}

	Request header(String line) {
		List<String> all = new ArrayList<>(this.headers);
		all.add(line);
		return new Request(this.method, this.path, this.version, all, this.body);
	}

	Request body(String type, String text) {
		return body(type, text.getBytes(StandardCharsets.UTF_8));
	}

	Request body(String type, byte[] bytes) {
		List<String> all = new ArrayList<>(this.headers);
		all.removeIf((line) -> line.startsWith("Content-Type:"));
		all.add("Content-Type: " + type);
		return new Request(this.method, this.path, this.version, all, bytes);
	}

	Request version(String other) {
		return new Request(this.method, this.path, other, this.headers, this.body);
	}

	boolean isHead() {
		return this.method.equals("HEAD");
	}

	byte[] bytes() {
		StringBuilder head = new StringBuilder(this.method + " " + this.path + " " + this.version + "\r\n");
		// Both servers are called by one name, so that absolute addresses are the same.
		head.append("Host: shop.example\r\n");
		this.headers.forEach((line) -> head.append(line).append("\r\n"));
		boolean chunked = this.headers.contains("Transfer-Encoding: chunked");
		if (this.body != null && !chunked) {
			head.append("Content-Length: ").append(this.body.length).append("\r\n");
		}
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(latin(head.append("\r\n").toString()));
		if (this.body != null && this.body.length > 0) {
			out.writeBytes(chunked ? latin(Integer.toHexString(this.body.length) + "\r\n") : new byte[0]);
			out.writeBytes(this.body);
			out.writeBytes(chunked ? latin("\r\n") : new byte[0]);
		}
		out.writeBytes((chunked && this.body != null) ? latin("0\r\n\r\n") : new byte[0]);
		return out.toByteArray();
	}

	private static byte[] latin(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

}

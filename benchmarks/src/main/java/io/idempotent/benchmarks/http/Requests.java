package io.idempotent.benchmarks.http;

import java.nio.charset.StandardCharsets;

/**
 * The requests as bytes.
 */
final class Requests {

	static final String ORDER = "{\"id\":\"4711\",\"product\":\"umbrella\",\"quantity\":2}";

	static final byte[] GET = get("/item", "application/json");

	static final byte[] POST = post("/order", "");

	/** A JSON document of 16 kB. */
	static final String DOCUMENT = "{\"id\":\"4711\",\"product\":\"" + "umbrella ".repeat(1800) + "\",\"quantity\":2}";

	/** Of a load at a rate. */
	static final int PER_SECOND = 200;

	static final byte[] TOKEN = get("/token", "text/plain");

	static final byte[] ALLOCATED = get("/allocated", "text/plain");

	static final byte[] LOADED_CLASSES = get("/loaded-classes", "text/plain");

	private Requests() {
	}

	static byte[] get(String path, String accept) {
		return bytes("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: " + accept + "\r\n\r\n");
	}

	/**
	 * An order under a key.
	 * @param key the key
	 * @return the request
	 */
	static byte[] byKey(String key) {
		return byKey("/order-by-key", ORDER, key);
	}

	static byte[] byKey(String path, String body, String key) {
		return post(path, "Idempotency-Key: " + key + "\r\n", body);
	}

	/**
	 * An order under a token.
	 * @param token the token
	 * @return the request
	 */
	static byte[] byToken(String token) {
		return post("/order-by-token", "Idempotent-Token: " + token + "\r\n");
	}

	private static byte[] post(String path, String headers) {
		return post(path, headers, ORDER);
	}

	private static byte[] post(String path, String headers, String body) {
		return bytes("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
				+ "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n" + headers + "\r\n"
				+ body);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}

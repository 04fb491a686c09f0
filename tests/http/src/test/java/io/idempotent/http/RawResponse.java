package io.idempotent.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;

/**
 * An answer as it came over the wire.
 *
 * @param interim the status lines of answers before the final one
 * @param status the status line
 * @param headers the header lines, in order; {@code Date} is left out
 * @param framing how the end of the body was told
 * @param body the body, one character for each byte
 * @param trailers the header lines after the body
 * @param connection what became of the connection
 */
record RawResponse(List<String> interim, String status, List<Header> headers, Framing framing, String body,
		List<Header> trailers, String connection) {

	/** The connection takes the next request. */
	static final String STAYS_OPEN = "stays open";

	static final String CLOSED = "is closed";

	private static final Set<String> HOP_BY_HOP = Set.of("content-length", "transfer-encoding", "connection",
			"keep-alive", "trailer", "upgrade");

	int code() {
		return Integer.parseInt(this.status, this.status.indexOf(' ') + 1, this.status.indexOf(' ') + 4, 10);
	}

	boolean isReplayed() {
		return has("Idempotency-Replayed");
	}

	boolean has(String name) {
		return this.headers.stream().anyMatch((header) -> header.name().equalsIgnoreCase(name));
	}

	/**
	 * The answer without some headers, wherever they are.
	 */
	RawResponse without(Set<String> names) {
		return new RawResponse(this.interim, this.status,
				this.headers.stream()
					.filter((header) -> !names.contains(header.name().toLowerCase(Locale.ROOT)))
					.toList(),
				this.framing, this.body, this.trailers, this.connection);
	}

	/**
	 * The answer with addresses that hold no session id.
	 */
	RawResponse withoutSessionId() {
		return new RawResponse(this.interim, this.status,
				this.headers.stream()
					.map((header) -> new Header(header.name(), header.value().replaceAll(";jsessionid=[^?#;]+", "")))
					.toList(),
				this.framing, this.body, this.trailers, this.connection);
	}

	/**
	 * The answer as far as it does not depend on the hop: neither framing nor connection,
	 * nor whether the container would have compressed it.
	 */
	RawResponse endToEnd() {
		List<Header> kept = without(HOP_BY_HOP).headers()
			.stream()
			.filter((header) -> !header.toString().equalsIgnoreCase("Vary: Accept-Encoding"))
			.toList();
		return new RawResponse(List.of(), this.status, kept, Framing.NONE, this.body, List.of(), "");
	}

	/**
	 * The values of each header, in their order, by lower-case names.
	 */
	Map<String, String> byName() {
		return this.headers.stream()
			.collect(groupingBy((header) -> header.name().toLowerCase(Locale.ROOT), TreeMap::new,
					mapping(Header::value, joining(" | "))));
	}

	/**
	 * How the end of a body is told.
	 */
	enum Framing {

		/** There is no body. */
		NONE,

		/** By {@code Content-Length}. */
		LENGTH,

		/** In chunks. */
		CHUNKED,

		/** The connection is closed. */
		CLOSE,

		/** Not at all: it broke off. */
		BROKEN

	}

	/**
	 * A header line.
	 *
	 * @param name the name, as it was sent
	 * @param value the value
	 */
	record Header(String name, String value) {

		@Override
		public String toString() {
			return this.name + ": " + this.value;
		}

	}

}

package io.idempotent.conformance;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An HTTP request, as it is written to the connection.
 *
 * @param method the method
 * @param url the URL
 * @param headers the headers in their order, except those of the message framing
 * @param body the body
 * @param framing how the body is delimited and sent
 */
@SuppressWarnings("ArrayRecordComponent")
record Request(String method, URI url, List<Header> headers, byte[] body, Framing framing) {

	static Request post(URI url, String body) {
		return new Request("POST", url, List.of(), body.getBytes(StandardCharsets.UTF_8), Framing.LENGTH);
	}

	static Request without(String method, URI url) {
		return new Request(method, url, List.of(), new byte[0], Framing.LENGTH);
	}

	/** Adds a header, even if there is one of that name. */
	Request adding(String name, String value) {
		List<Header> all = new ArrayList<>(this.headers);
		all.add(new Header(name, value));
		return new Request(this.method, this.url, all, this.body, this.framing);
	}

	/** Replaces the headers of a name. */
	Request with(String name, String value) {
		List<Header> others = this.headers.stream().filter((header) -> !header.is(name)).toList();
		return new Request(this.method, this.url, others, this.body, this.framing).adding(name, value);
	}

	Request framed(Framing other) {
		return new Request(this.method, this.url, this.headers, this.body, other);
	}

	/**
	 * How a body is delimited, and how much of the exchange takes place.
	 */
	enum Framing {

		/** By its length. */
		LENGTH,

		/** In chunks. */
		CHUNKED,

		/** By its length, but the connection is closed in the middle of it. */
		CUT,

		/** By its length; the connection is closed without reading the response. */
		UNREAD

	}

	/**
	 * A header.
	 *
	 * @param name the name
	 * @param value the value
	 */
	record Header(String name, String value) {

		boolean is(String other) {
			return this.name.equalsIgnoreCase(other);
		}

	}

}

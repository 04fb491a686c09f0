package io.idempotent.conformance.internal;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP request as it is written to the connection. The headers are in their order,
 * without those of the message framing.
 */
@SuppressWarnings("ArrayRecordComponent")
public record Request(String method, URI url, List<Header> headers, byte[] body, Framing framing) {

	public static Request of(String method, URI url) {
		return new Request(method, url, List.of(), new byte[0], Framing.LENGTH);
	}

	public Request withUrl(URI other) {
		return new Request(this.method, other, this.headers, this.body, this.framing);
	}

	public Request withBody(String other) {
		return new Request(this.method, this.url, this.headers, other.getBytes(StandardCharsets.UTF_8), this.framing);
	}

	public Request framed(Framing other) {
		return new Request(this.method, this.url, this.headers, this.body, other);
	}

	/** Adds a header, even if there is one of that name. */
	public Request adding(String name, String value) {
		List<Header> all = new ArrayList<>(this.headers);
		all.add(new Header(name, value));
		return new Request(this.method, this.url, all, this.body, this.framing);
	}

	/** Replaces the headers of a name. */
	public Request with(String name, String value) {
		List<Header> others = this.headers.stream().filter((header) -> !header.is(name)).toList();
		return new Request(this.method, this.url, others, this.body, this.framing).adding(name, value);
	}

	public Request with(Map<String, String> others) {
		Request request = this;
		for (Map.Entry<String, String> header : others.entrySet()) {
			request = request.with(header.getKey(), header.getValue());
		}
		return request;
	}

	public @Nullable String header(String name) {
		return Header.find(this.headers, name);
	}

	/**
	 * How a body is delimited, and how much of the exchange takes place.
	 */
	public enum Framing {

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
	 */
	public record Header(String name, String value) {

		public boolean is(String other) {
			return this.name.equalsIgnoreCase(other);
		}

		static @Nullable String find(List<Header> headers, String name) {
			return headers.stream().filter((header) -> header.is(name)).findFirst().map(Header::value).orElse(null);
		}

	}

}

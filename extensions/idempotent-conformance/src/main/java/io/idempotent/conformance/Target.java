package io.idempotent.conformance;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The service to be checked. Its main operation is a POST that has an effect and whose
 * response differs from one execution to the next, for example by an id. Everything but
 * URL and body is optional: vectors that need it are reported as not run.
 */
public final class Target {

	private final URI url;

	private final String body;

	private final Map<Option, String> options = new LinkedHashMap<>();

	private final Map<String, String> headers = new LinkedHashMap<>();

	private final Map<String, String> otherUser = new LinkedHashMap<>();

	private Duration timeout = Duration.ofSeconds(30);

	private Target(URI url, String body) {
		this.url = url;
		this.body = body;
	}

	/**
	 * Describes a service by the URL of its main operation and the body of a valid
	 * request, a JSON object unless another content type is given.
	 */
	public static Target of(URI url, String body) {
		return new Target(url, body);
	}

	/** Sets an option. A URL may be relative to that of the main operation. */
	public Target with(Option option, String value) {
		this.options.put(option, value);
		return this;
	}

	/** Adds a header to every request, such as one that authenticates. */
	public Target header(String name, String value) {
		this.headers.put(name, value);
		return this;
	}

	/** Sets a header with which another user sends, in place of one of the same name. */
	public Target otherUser(String name, String value) {
		this.otherUser.put(name, value);
		return this;
	}

	/** Sets how long a response is waited for; 30 s by default. */
	public Target timeout(Duration timeout) {
		this.timeout = timeout;
		return this;
	}

	URI url() {
		return this.url;
	}

	String body() {
		return this.body;
	}

	Map<String, String> headers() {
		return this.headers;
	}

	Map<String, String> otherUser() {
		return this.otherUser;
	}

	Duration timeout() {
		return this.timeout;
	}

	@Nullable String option(Option option) {
		return this.options.get(option);
	}

	/**
	 * What a vector may need to know of a service.
	 */
	public enum Option {

		/** A valid body with another content. */
		OTHER_BODY("--other-body", "a valid body with another content"),

		/** The content type of the bodies; {@code application/json} by default. */
		CONTENT_TYPE("--content-type", "the content type of the bodies; application/json by default"),

		/** A GET that returns the number of effects: the first number in its body. */
		COUNT_URL("--count-url", "a GET that returns the number of effects"),

		/** A POST that takes at least half a second. */
		SLOW_URL("--slow-url", "a POST that takes at least half a second"),

		/** A POST whose execution ends with a 4xx response, another one each time. */
		CLIENT_ERROR_URL("--client-error-url", "a POST whose execution ends with 4xx, another response each time"),

		/** A POST whose execution ends with a 5xx response, another one each time. */
		SERVER_ERROR_URL("--server-error-url", "a POST whose execution ends with 5xx, another response each time"),

		/** Another idempotent POST that accepts the same body. */
		OTHER_URL("--other-url", "another idempotent POST that accepts the same body"),

		/** The page that documents the expiry of keys. */
		DOCUMENTATION_URL("--documentation-url", "the page that documents the expiry of keys"),

		/** The request header of the key; {@code Idempotency-Key} by default. */
		KEY_HEADER("--key-header", "the request header of the key; Idempotency-Key by default"),

		/** The response header that marks a replay, instead of that of the profile. */
		REPLAYED_HEADER("--replayed-header", "the response header that marks a replay");

		private final String flag;

		private final String description;

		Option(String flag, String description) {
			this.flag = flag;
			this.description = description;
		}

		String flag() {
			return this.flag;
		}

		String description() {
			return this.description;
		}

	}

}

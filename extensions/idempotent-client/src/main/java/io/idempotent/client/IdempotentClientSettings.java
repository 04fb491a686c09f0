package io.idempotent.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.util.Assert;

/**
 * How calls are identified and repeated. Immutable; one object serves any number of
 * clients.
 *
 * <p>
 * Only a peer that honours the key header makes a repeated call take effect once. Select
 * the calls with {@link Builder#calls(BiPredicate)} if a client also calls others.
 */
public final class IdempotentClientSettings {

	/** The default name of the request header with the key. */
	public static final String KEY_HEADER = "Idempotency-Key";

	/** Of this library, and of Stripe. */
	private static final List<String> REPLAYED_HEADERS = List.of("Idempotency-Replayed", "Idempotent-Replayed");

	private final String keyHeader;

	private final Supplier<String> keys;

	private final BiPredicate<HttpMethod, URI> calls;

	private final RetryPolicy retryPolicy;

	private final Set<Integer> statuses;

	private final Pattern inProgress;

	private final int maxBody;

	private IdempotentClientSettings(Builder builder) {
		this.keyHeader = builder.keyHeader;
		this.keys = builder.keys;
		this.calls = builder.calls;
		this.retryPolicy = builder.retryPolicy;
		this.statuses = builder.statuses;
		this.inProgress = builder.inProgress;
		this.maxBody = builder.maxBody;
	}

	/** Starts from the defaults: POST and PATCH, five attempts within 30 seconds. */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * The default policy: at most four repeats, after 200 ms, 400 ms, 800 ms and 1.6 s,
	 * each varied at random, and 30 seconds for all attempts together.
	 */
	public static RetryPolicy.Builder defaultRetryPolicy() {
		return RetryPolicy.builder()
			.maxRetries(4)
			.delay(Duration.ofMillis(200))
			.multiplier(2)
			.jitter(Duration.ofMillis(100))
			.maxDelay(Duration.ofSeconds(5))
			.timeout(Duration.ofSeconds(30));
	}

	/** The name of the request header with the key. */
	public String keyHeader() {
		return this.keyHeader;
	}

	/**
	 * Whether a response repeats an earlier one: by {@code Idempotency-Replayed} or
	 * {@code Idempotent-Replayed}, not set to {@code false}.
	 */
	public static boolean isReplay(HttpHeaders headers) {
		return REPLAYED_HEADERS.stream()
			.map(headers::getFirst)
			.anyMatch((value) -> value != null && !"false".equalsIgnoreCase(value.trim()));
	}

	boolean appliesTo(HttpMethod method, URI uri) {
		return this.calls.test(method, uri);
	}

	/**
	 * The headers of each attempt, with the key unless the caller gives one. A request
	 * without an Accept header gets one for any type, since {@code HttpURLConnection}
	 * would ask for HTML, which has no code for the reason of a refusal.
	 */
	HttpHeaders withKey(HttpHeaders headers) {
		HttpHeaders keyed = HttpHeaders.copyOf(headers);
		if (!headers.containsHeader(this.keyHeader)) {
			keyed.set(this.keyHeader, this.keys.get());
		}
		if (!keyed.containsHeader(HttpHeaders.ACCEPT)) {
			keyed.setAccept(List.of(MediaType.ALL));
		}
		return keyed;
	}

	RetryPolicy retryPolicy() {
		return this.retryPolicy;
	}

	int maxBody() {
		return this.maxBody;
	}

	/** Not after a replay: a replayed error would be the same for each repeat. */
	boolean isRepeatedAfter(HttpStatusCode status, HttpHeaders headers, byte[] body) {
		return !isReplay(headers) && (this.statuses.contains(status.value())
				|| (status.value() == 409 && this.inProgress.matcher(new String(body, StandardCharsets.UTF_8)).find()));
	}

	/**
	 * Builds settings.
	 */
	public static final class Builder {

		private String keyHeader = KEY_HEADER;

		private Supplier<String> keys = () -> UUID.randomUUID().toString();

		private BiPredicate<HttpMethod, URI> calls = (method, uri) -> method.equals(HttpMethod.POST)
				|| method.equals(HttpMethod.PATCH);

		private RetryPolicy retryPolicy = defaultRetryPolicy().build();

		private Set<Integer> statuses = Set.of(502, 503, 504);

		private Pattern inProgress = code("in-progress", "idempotency_key_in_use", "idempotency_in_flight");

		private int maxBody = 1024 * 1024;

		private Builder() {
		}

		/** The request header with the key, by default {@value #KEY_HEADER}. */
		public Builder keyHeader(String name) {
			Assert.hasText(name, "The name of the key header must not be empty");
			this.keyHeader = name;
			return this;
		}

		/**
		 * Supplies never used keys for calls without one; by default random UUIDs. Give
		 * keys in quotes to a peer that accepts no others.
		 */
		public Builder keyGenerator(Supplier<String> generator) {
			this.keys = generator;
			return this;
		}

		/**
		 * Selects calls that get a key and are repeated; by default POST and PATCH. All
		 * others pass unchanged.
		 */
		public Builder calls(BiPredicate<HttpMethod, URI> calls) {
			this.calls = calls;
			return this;
		}

		/**
		 * Sets how often and when a call is repeated, by default
		 * {@link IdempotentClientSettings#defaultRetryPolicy()}. The delay is at least
		 * what {@code Retry-After} demands; if that exceeds the time-out of the policy,
		 * the call ends. The exceptions that the policy excludes are not repeated either.
		 */
		public Builder retryPolicy(RetryPolicy policy) {
			this.retryPolicy = policy;
			return this;
		}

		/**
		 * Sets the responses after which a call is repeated, besides 409 in progress.
		 * @param statuses 429 or 5xx; by default 502, 503 and 504
		 */
		public Builder retryStatuses(int... statuses) {
			for (int status : statuses) {
				Assert.isTrue(status == 429 || (status >= 500 && status <= 599), () -> "A call is never repeated after "
						+ status + ": the peer has decided. Give 429 or statuses from 500 to 599");
			}
			this.statuses = Arrays.stream(statuses).boxed().collect(Collectors.toUnmodifiableSet());
			return this;
		}

		/**
		 * Sets the codes by which a 409 reports that the first submission is still
		 * running.
		 * @param values of the member named "code" in its JSON body, by default
		 * {@code in-progress}, {@code idempotency_key_in_use} (Stripe) and
		 * {@code idempotency_in_flight} (ACP)
		 */
		public Builder inProgressCodes(String... values) {
			this.inProgress = code(values);
			return this;
		}

		/**
		 * At any depth. Within strings a backslash precedes quotes, so no text matches.
		 */
		private static Pattern code(String... values) {
			String any = Arrays.stream(values).map(Pattern::quote).collect(Collectors.joining("|"));
			return Pattern.compile("(?<!\\\\)\"code\"\\s*:\\s*\"(?:" + any + ")\"");
		}

		/**
		 * Sets the largest body that is held in memory. The response is held, so that a
		 * connection that breaks within it is a failed attempt; so is the request of a
		 * {@code WebClient}, to be sent again. A larger response is passed on as it
		 * arrives; a call with a larger request is not repeated.
		 * @param bytes the size, by default 1 MB
		 */
		public Builder maxBody(int bytes) {
			Assert.isTrue(bytes >= 0 && bytes < Integer.MAX_VALUE,
					() -> "A body of " + bytes + " bytes cannot be held in memory");
			this.maxBody = bytes;
			return this;
		}

		/** Builds the settings. */
		public IdempotentClientSettings build() {
			return new IdempotentClientSettings(this);
		}

	}

}

package io.idempotent.test.web;

import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

import io.idempotent.IdempotencyProfile;
import io.idempotent.Refusal;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.EntityExchangeResult;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec.ResponseSpecConsumer;

/**
 * Adds keys and tokens to requests of a {@link RestTestClient}, and checks the responses:
 *
 * <pre>
 * Consumer&lt;HttpHeaders&gt; key = idempotencyKey();
 * client.post().uri("/orders").headers(key).exchange().expectAll(notReplayed());
 * client.post().uri("/orders").headers(key).exchange().expectAll(replayed());
 * </pre>
 *
 * <p>
 * The client may be bound to a server, whose configuration it does not know: the names of
 * headers and of the token endpoint are the defaults. Where a profile chooses another
 * header for replays, pass its name.
 */
public final class IdempotencyRestTestClientSupport {

	private IdempotencyRestTestClientSupport() {
	}

	/** Adds a new random key. Requests that get the same consumer have the same key. */
	public static Consumer<HttpHeaders> idempotencyKey() {
		return idempotencyKey(UUID.randomUUID().toString());
	}

	/** Adds a key, as a client sends it. */
	public static Consumer<HttpHeaders> idempotencyKey(String key) {
		return (headers) -> headers.set(HttpNames.DEFAULTS.keyHeader(), key);
	}

	/**
	 * Fetches a token at once, with the default headers and cookies of the client, and
	 * adds it.
	 * @param client the client that will send the request
	 */
	public static Consumer<HttpHeaders> idempotencyToken(RestTestClient client) {
		String token = client.get()
			.uri(HttpNames.DEFAULTS.tokenPath())
			.accept(MediaType.TEXT_PLAIN)
			.exchange()
			.expectStatus()
			.isOk()
			.returnResult(String.class)
			.getResponseBody();
		return (headers) -> headers.set(HttpNames.DEFAULTS.tokenHeader(), Objects.requireNonNull(token));
	}

	/** Expects a stored answer: the handler method did not run. */
	public static ResponseSpecConsumer replayed() {
		return replayed(HttpNames.DEFAULTS.replayedHeader());
	}

	/**
	 * Expects a stored answer: the handler method did not run.
	 * @param header the header that marks a replay, such as {@code Idempotent-Replayed}
	 * in the profile {@code stripe}
	 */
	public static ResponseSpecConsumer replayed(String header) {
		return (response) -> response.expectHeader().exists(header);
	}

	/**
	 * Expects any answer that is not a stored one: it has none of the profiles' headers
	 * that mark a replay.
	 */
	public static ResponseSpecConsumer notReplayed() {
		return (response) -> Arrays.stream(IdempotencyProfile.values())
			.map((profile) -> profile.protocol().replayedHeader())
			.distinct()
			.forEach((header) -> response.expectHeader().doesNotExist(header));
	}

	/**
	 * Expects that the submission was refused for this reason, with the {@code code} of
	 * the error document in the format of any profile.
	 */
	public static ResponseSpecConsumer refused(Refusal refusal) {
		return (response) -> {
			EntityExchangeResult<String> result = response.returnResult(String.class);
			String body = result.getResponseBody();
			Problems.assertRefused(refusal, result.getStatus().value(), (body != null) ? body : "");
		};
	}

}

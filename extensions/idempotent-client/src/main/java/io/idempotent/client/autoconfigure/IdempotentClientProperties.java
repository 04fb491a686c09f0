package io.idempotent.client.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.idempotent.boot.PropertyAssertions;
import io.idempotent.client.IdempotentClientListener;
import io.idempotent.client.IdempotentClientSettings;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.http.HttpMethod;
import org.springframework.util.unit.DataSize;

/**
 * Properties of clients that send a key with each call.
 *
 * @param keyHeader Name of the request header that carries the key.
 * @param replayedHeader Name of the response header that marks a replayed response.
 * @param quotedKeys Whether generated keys are sent in quotes, as the IETF draft writes
 * them.
 * @param methods Methods of the calls that get a key and are repeated.
 * @param inProgressCodes Values of the member "code" by which the body of a 409 tells
 * that the first submission is still running.
 * @param maxBody Maximum size of a body that is held in memory, so that it can be sent
 * again, or that a response that breaks off is noticed.
 * @param retry When calls are repeated.
 */
@ConfigurationProperties("idempotent.client")
record IdempotentClientProperties(@DefaultValue("Idempotency-Key") String keyHeader,
		@DefaultValue("Idempotency-Replayed") String replayedHeader, @DefaultValue("false") boolean quotedKeys,
		@DefaultValue( {
				"POST", "PATCH" }) Set<HttpMethod> methods,
		@DefaultValue({ "in-progress", "idempotency_key_in_use",
				"idempotency_in_flight" }) List<String> inProgressCodes,
		@DefaultValue("1MB") DataSize maxBody, @DefaultValue Retry retry){

	IdempotentClientProperties {
		PropertyAssertions.headerName("idempotent.client.key-header", keyHeader);
		PropertyAssertions.headerName("idempotent.client.replayed-header", replayedHeader);
		PropertyAssertions.fitsInMemory("idempotent.client.max-body", maxBody);
	}

	IdempotentClientSettings settings(List<IdempotentClientListener> listeners) {
		IdempotentClientSettings.Builder builder = IdempotentClientSettings.builder()
			.keyHeader(this.keyHeader)
			.replayedHeader(this.replayedHeader)
			.calls((method, uri) -> this.methods.contains(method))
			.inProgressCodes(this.inProgressCodes.toArray(String[]::new))
			.maxBody(Math.toIntExact(this.maxBody.toBytes()))
			.retryStatuses(this.retry.statuses.stream().mapToInt(Integer::intValue).toArray())
			.retryPolicy(this.retry.policy());
		listeners.forEach(builder::listener);
		return (this.quotedKeys ? builder.quotedKeys() : builder).build();
	}

	/**
	 * When calls are repeated.
	 *
	 * @param maxAttempts Maximum number of attempts of one call.
	 * @param delay Delay before the first repeat. It doubles with each further one, up to
	 * 5 s, and varies by up to 100 ms.
	 * @param timeout Time within which the last attempt of a call begins. A response that
	 * demands a later repeat ends the call.
	 * @param statuses Statuses after which a call is repeated, besides a 409 in progress:
	 * 429 or 5xx.
	 */
	record Retry(@DefaultValue("5") int maxAttempts, @DefaultValue("200ms") Duration delay,
			@DefaultValue("30s") Duration timeout, @DefaultValue( {
					"502", "503", "504" }) List<Integer> statuses){

		private static final String PREFIX = "idempotent.client.retry.";

		Retry {
			PropertyAssertions.that(maxAttempts >= 1, PREFIX + "max-attempts", maxAttempts, "it must be at least 1",
					"Give 1 to send each call once");
			PropertyAssertions.positive(PREFIX + "delay", delay);
			PropertyAssertions.positive(PREFIX + "timeout", timeout);
			statuses.forEach((status) -> PropertyAssertions.that(status == 429 || (status >= 500 && status <= 599),
					PREFIX + "statuses", status, "the peer has decided, and a repeat would get the same response",
					"Give 429 or statuses from 500 to 599"));
		}

		RetryPolicy policy() {
			return IdempotentClientSettings.defaultRetryPolicy()
				.maxRetries(this.maxAttempts - 1L)
				.delay(this.delay)
				.timeout(this.timeout)
				.build();
		}

	}

}

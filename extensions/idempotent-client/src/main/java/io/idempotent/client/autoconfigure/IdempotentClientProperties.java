package io.idempotent.client.autoconfigure;

import java.time.Duration;

import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.client.IdempotentClientSettings;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.retry.RetryPolicy;

/**
 * Properties of clients that send a key with each call. Code decides the rest, with an
 * {@link IdempotentClientSettings} bean.
 *
 * @param keyHeader Name of the request header that carries the key.
 * @param retry When calls are repeated.
 */
@ConfigurationProperties("idempotent.client")
record IdempotentClientProperties(@DefaultValue("Idempotency-Key") String keyHeader, @DefaultValue Retry retry) {

	IdempotentClientProperties {
		PropertyAssertions.headerName("idempotent.client.key-header", keyHeader);
	}

	IdempotentClientSettings settings() {
		return IdempotentClientSettings.builder().keyHeader(this.keyHeader).retryPolicy(this.retry.policy()).build();
	}

	/**
	 * When calls are repeated.
	 *
	 * @param maxAttempts Maximum number of attempts of one call.
	 * @param timeout Time within which the last attempt of a call begins. A response that
	 * demands a later repeat ends the call.
	 */
	record Retry(@DefaultValue("5") int maxAttempts, @DefaultValue("30s") Duration timeout) {

		Retry {
			PropertyAssertions.that(maxAttempts >= 1, "idempotent.client.retry.max-attempts", maxAttempts,
					"it must be at least 1", "Give 1 to send each call once");
			PropertyAssertions.positive("idempotent.client.retry.timeout", timeout);
		}

		RetryPolicy policy() {
			return IdempotentClientSettings.defaultRetryPolicy()
				.maxRetries(this.maxAttempts - 1L)
				.timeout(this.timeout)
				.build();
		}

	}

}

package io.idempotent.webmvc.internal.operation;

import java.util.List;

import io.idempotent.IdempotencyProfile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The response headers that are stored and replayed.
 */
class HttpSettingsTests {

	@ParameterizedTest
	@ValueSource(strings = { "Authorization", "X-Auth-Token", "X-Api-Key", "X-CSRF-TOKEN", "Csrf-Token", "X-Token",
			"X-Subject-Token", "X-Vault-Token", "JWT", "Client-Secret", "X-Access-Token", "Refresh-Token", "X-Id-Token",
			"X-Session-Token", "X-Amz-Security-Token", "Api-Token" })
	void credentialsAreNotStored(String header) {
		assertThat(settings().replays(header)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Location", "X-Next-Page-Token", "X-Request-Id", "X-Api-Version", "X-Key" })
	void otherHeadersAreStored(String header) {
		assertThat(settings().replays(header)).isTrue();
	}

	private static HttpSettings settings() {
		return new HttpSettings("shop", "Idempotency-Key", "Idempotent-Token", "_token", List.of("*"), 1000, 1000,
				false, "urn:", IdempotencyProfile.IDEMPOTENT.protocol());
	}

}

package io.idempotent.webmvc.internal.operation;

import java.util.List;
import java.util.Map;

import io.idempotent.IdempotencyProfile;
import io.idempotent.IdempotencyProfile.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Names of headers that cannot carry what they are meant to carry.
 */
class HttpSettingsTests {

	@ParameterizedTest
	@CsvSource({ "Authorization, Idempotent-Token, Replayed, idempotent.web.key-header",
			"Idempotency-Key, cookie, Replayed, idempotent.token.header",
			"Idempotency-Key, Idempotent-Token, Set-Cookie, idempotent.web.replayed-header" })
	void aHeaderWithAMeaningOfItsOwnIsRefused(String key, String token, String replayed, String property) {
		assertThatIllegalArgumentException().isThrownBy(() -> settings(key, token, replayed))
			.withMessageStartingWith(property + " is '")
			.withMessageContaining("choose a name of its own");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Authorization", "X-Auth-Token", "X-Api-Key", "X-CSRF-TOKEN", "Csrf-Token",
			"X-Access-Token", "Refresh-Token", "X-Id-Token", "X-Session-Token", "X-Amz-Security-Token", "Api-Token" })
	void credentialsAreNotStored(String header) {
		assertThat(settings("Idempotency-Key", "Idempotent-Token", "Replayed").replays(header)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Location", "X-Next-Page-Token", "X-Request-Id", "X-Api-Version", "X-Key" })
	void otherHeadersAreStored(String header) {
		assertThat(settings("Idempotency-Key", "Idempotent-Token", "Replayed").replays(header)).isTrue();
	}

	@Test
	void keysAndTokensHaveDifferentHeaders() {
		assertThatIllegalArgumentException().isThrownBy(() -> settings("X-Key", "x-key", "Replayed"))
			.withMessageContaining("are both 'X-Key'");
	}

	@Test
	void otherNamesAreAccepted() {
		assertThatNoException().isThrownBy(() -> settings("X-Request-Id", "X-Form-Token", "X-Replayed"));
	}

	private static HttpSettings settings(String key, String token, String replayed) {
		Protocol plain = IdempotencyProfile.IDEMPOTENT.protocol();
		Protocol protocol = new Protocol(replayed, plain.keySyntax(), true, false, plain.numberComparison(), List.of(),
				plain.errorFormat(), Map.of());
		return new HttpSettings("shop", key, token, "_token", List.of("*"), 1000, 1000, false, "urn:", protocol);
	}

}

package io.idempotent.boot3.autoconfigure;

import java.util.Set;

import io.idempotent.support.StartUpException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class SpringBoot3CheckTests {

	private static void check(String version, String... present) {
		SpringBoot3Check.check(version, Set.of(present)::contains);
	}

	@ParameterizedTest
	@ValueSource(strings = { "3.5.0", "3.5.15" })
	void aNewerVersionStarts(String version) {
		assertThatNoException().isThrownBy(() -> check(version));
	}

	@ParameterizedTest
	@ValueSource(strings = { "3.4.13", "3.0.0" })
	void anOlderVersionIsRefused(String version) {
		assertThatExceptionOfType(StartUpException.class).isThrownBy(() -> check(version))
			.withMessageContaining("io.idempotent:idempotent-spring-boot needs Spring Boot 3.5 or newer, but this "
					+ "application runs on Spring Boot " + version);
	}

	@ParameterizedTest
	@CsvSource({ "idempotent-client, io.idempotent.client.IdempotentClientInterceptor",
			"idempotent-lock-spring-integration, io.idempotent.lock.integration.DistributedLockRegistry" })
	void anExtensionThatNeedsSpringFramework7IsRefused(String artifact, String type) {
		assertThatExceptionOfType(StartUpException.class).isThrownBy(() -> check("3.5.15", type))
			.withMessageContaining("io.idempotent:" + artifact + " needs Spring Boot 4.0 or newer");
		assertThatNoException().isThrownBy(() -> check("4.0.0", type));
	}

}

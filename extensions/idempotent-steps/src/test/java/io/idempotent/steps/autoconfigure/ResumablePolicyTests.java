package io.idempotent.steps.autoconfigure;

import java.util.UUID;

import io.idempotent.Idempotent;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.steps.Resumable;
import io.idempotent.steps.autoconfigure.PaymentApplication.TestProvider;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.builder.SpringApplicationBuilder;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ResumablePolicyTests {

	/** Each call after a crash is refused, until the operation is abandoned. */
	@ParameterizedTest
	@ValueSource(classes = { Rejecting.class, Burning.class })
	void aPolicyUnderWhichARepeatCannotRunFailsTheStart(Class<?> source) {
		assertThatExceptionOfType(StartUpException.class)
			.isThrownBy(() -> new SpringApplicationBuilder(PaymentApplication.class, TestProvider.class, source)
				.properties("server.port=0", "idempotent.store.type=local", "idempotent.guard.enabled=true",
						"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID())
				.run()
				.close())
			.withMessageStartingWith("@Resumable " + source.getSimpleName() + ".run ");
	}

	static class Rejecting {

		@Idempotent(key = "#number", whenUnknown = WhenUnknown.REJECT)
		@Resumable
		void run(String number) {
		}

	}

	static class Burning {

		@Idempotent(key = "#number", whenCompleted = WhenCompleted.BURN)
		@Resumable
		void run(String number) {
		}

	}

}

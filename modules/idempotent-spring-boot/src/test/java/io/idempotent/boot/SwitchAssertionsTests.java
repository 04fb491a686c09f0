package io.idempotent.boot;

import java.util.List;

import io.idempotent.boot.settings.InvalidConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A switch is true or false: anything else stops the application instead of switching the
 * protection off. What is switched off as a whole is told.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class SwitchAssertionsTests {

	@ParameterizedTest
	@ValueSource(strings = { "idempotent.enabled", "idempotent.guard.enabled", "idempotent.guard.receipt.enabled",
			"idempotent.lock.enabled", "idempotent.lock.rollback-on-loss", "idempotent.lock.switching.automatic",
			"idempotent.store.near-cache.enabled", "idempotent.token.enabled" })
	void aSwitchThatIsNeitherTrueNorFalseStopsTheApplication(String property, CapturedOutput output) {
		for (String value : List.of("maybe", "yes", "")) {
			Throwable failure = StartUp.failure(StartUp.Application.class, property + "=" + value);
			assertThat(failure).isInstanceOf(InvalidConfigurationException.class);
			assertThat(output).contains("APPLICATION FAILED TO START")
				.contains(property + " is '" + value + "', but it is neither true nor false")
				.contains("Write " + property + "=true or " + property + "=false")
				.contains("\"" + property + "\" from property source \"commandLineArgs\"");
		}
	}

	@Test
	void aSwitchIsCheckedInEveryForm(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.ENABLED=maybe");
		assertThat(output).contains("idempotent.enabled is 'maybe', but it is neither true nor false");
	}

	@ParameterizedTest
	@ValueSource(strings = { "false", "FALSE" })
	void aDisabledLibraryIsLoggedOnce(String value, CapturedOutput output) {
		StartUp.run(List.of(), "idempotent.enabled=" + value).close();
		assertThat(
				output.getAll().lines().filter((line) -> line.contains("WARN") && line.contains("idempotent.enabled")))
			.singleElement()
			.asString()
			.contains("@ApiIdempotent", "@Idempotent", "@DistributedLocked", "without their locks", "fence");
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "TRUE" })
	void anEnabledLibraryIsNotLogged(String value, CapturedOutput output) {
		StartUp.run(List.of(), "idempotent.enabled=" + value, "idempotent.lock.engines=local").close();
		assertThat(output).doesNotContain("is off");
	}

}

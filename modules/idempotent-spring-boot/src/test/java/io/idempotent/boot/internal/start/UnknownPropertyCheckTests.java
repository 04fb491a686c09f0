package io.idempotent.boot.internal.start;

import java.util.Map;

import io.idempotent.boot.settings.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A property that nothing reads is told at the start.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertyCheckTests {

	private static void check(PropertySource<?> properties) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(properties);
		ConfigurationPropertySources.attach(environment);
		UnknownPropertyCheck.check(environment);
	}

	private static void check(String property) {
		check(new MapPropertySource("application", Map.of(property, "secret")));
	}

	private static void checkVariable(String variable) {
		check(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(variable, "secret")));
	}

	@ParameterizedTest
	@CsvSource({ "idempotent.stor.type, idempotent.store.type",
			"idempotent.defaults.retension, idempotent.defaults.retention",
			"idempotent.lock.engine, idempotent.lock.engines" })
	void aMisspeltNameFailsTheStart(String property, String meant) {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> check(property))
			.withMessageContaining("there is no such property")
			.withMessageContaining("Correct it to " + meant)
			.withMessageNotContaining("secret");
	}

	@Test
	void aMisspeltVariableFailsTheStart() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> checkVariable("IDEMPOTENT_STOR_TYPE"))
			.withMessageContaining("Correct it to idempotent.store.type");
	}

	@Test
	void anyOtherUnknownNameCausesAWarning(CapturedOutput output) {
		check("idempotent.something.else.altogether");
		assertThat(output).contains("There is no property idempotent.something.else.altogether", "The nearest name is");
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent.store.type", "idempotent.lock.engines[0]",
			"idempotent.store.nearCache.enabled", "idempotent.operations[orders.create].retention",
			"idempotent.operations.pay.source", "other.stor.type" })
	void aKnownPropertyIsNotLogged(String property, CapturedOutput output) {
		check(property);
		assertThat(output).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "authority", "authority-away", "automatic", "drain-time", "dwell-time", "enabled",
			"lease-time", "recovery-time" })
	void aPropertyOfTheAbsentSwitchingModuleIsNotLogged(String property, CapturedOutput output) {
		check("idempotent.lock.switching." + property);
		assertThat(output).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "IDEMPOTENT_STORE_TYPE", "IDEMPOTENT_DEFAULTS_WHENSTOREFAILS",
			"IDEMPOTENT_DEFAULTS_WHEN_STORE_FAILS", "IDEMPOTENT_LOCK_ENGINES_0", "IDEMPOTENT_OPERATIONS_PAY_SOURCE" })
	void aKnownEnvironmentVariableIsNotLogged(String variable, CapturedOutput output) {
		checkVariable(variable);
		assertThat(output).isEmpty();
	}

}

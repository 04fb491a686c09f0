package io.idempotent.boot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} that validates the properties that switch this library on and off.
 * It has no condition, because it must run even if everything else is off.
 */
@AutoConfiguration
public final class SwitchesAutoConfiguration {

	@Bean
	static SwitchAssertions idempotencySwitches(Environment environment) {
		return new SwitchAssertions(environment);
	}

}

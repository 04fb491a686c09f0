package io.idempotent.boot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} that checks what switches this library on and off. It has no
 * condition, because it has to be there when everything else is off.
 */
@AutoConfiguration
public final class SwitchesAutoConfiguration {

	@Bean
	static SwitchAssertions idempotencySwitches(Environment environment) {
		return new SwitchAssertions(environment);
	}

}

package io.idempotent.lock.administration.autoconfigure;

import io.idempotent.boot.StartUpAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.administration.LockAdministration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Operators may look at locks that the application does not use.
 */
class LockAdministrationAutoConfigurationTests {

	@Test
	void withoutALockInUseNoTableIsNeeded() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, LockAutoConfiguration.class,
					LockAdministrationAutoConfiguration.class, StartUpAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:unused-locks", "idempotent.lock.engines=jdbc",
					"idempotent.initialize-schema=never")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(LockAdministration.class));
	}

}

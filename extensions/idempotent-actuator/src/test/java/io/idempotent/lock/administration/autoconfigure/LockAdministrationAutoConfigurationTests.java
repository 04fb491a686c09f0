package io.idempotent.lock.administration.autoconfigure;

import java.util.List;

import io.idempotent.administration.IdempotencyAdministration;
import io.idempotent.administration.autoconfigure.IdempotencyAdministrationAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.StartUpAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.administration.LockAdministration;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
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

	@Test
	void anAspectOfTheApplicationAppliesToBothAdministrations() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
					IdempotencyAdministrationAutoConfiguration.class, LockAutoConfiguration.class,
					LockAdministrationAutoConfiguration.class))
			.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local")
			.withBean(Watched.class)
			.run((context) -> assertThat(List.of(context.getBean(LockAdministration.class),
					context.getBean(IdempotencyAdministration.class)))
				.allMatch(AopUtils::isCglibProxy));
	}

	/**
	 * An aspect over what operators do.
	 */
	@Aspect
	static class Watched {

		@Before("within(io.idempotent..*Administration)")
		void watch() {
		}

	}

}

package io.idempotent.lock.integration.autoconfigure;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.integration.DistributedLockRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When an application gets a lock registry of Spring Integration.
 */
class IntegrationLockAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, IntegrationLockAutoConfiguration.class))
		.withPropertyValues("idempotent.lock.engines=local");

	@Test
	void locksOfTheRegistryAreThoseOfTheApplication() {
		this.runner.run((context) -> {
			DistributedLocks locks = context.getBean(DistributedLocks.class);
			context.getBean(DistributedLockRegistry.class)
				.executeLocked("nightly",
						() -> assertThat(locks.get("integration:nightly").isHeldByCurrentThread()).isTrue());
		});
	}

	@Test
	void registryOfTheApplicationReplacesIt() {
		this.runner.withBean("myRegistry", DefaultLockRegistry.class, DefaultLockRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(LockRegistry.class)
				.doesNotHaveBean(DistributedLockRegistry.class));
	}

	@Test
	void applicationWithoutLocksHasNone() {
		this.runner.withPropertyValues("idempotent.lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockRegistry.class));
	}

	@Test
	void applicationWithoutSpringIntegrationHasNone() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.integration"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(DistributedLocks.class));
	}

}

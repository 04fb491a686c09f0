package io.idempotent.boot;

import java.util.List;

import io.idempotent.boot.settings.PropertyAssertions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
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

	/**
	 * Rejects a Boolean property that is neither true nor false. The conditions of the
	 * auto-configurations read the raw text, for which everything except "true" means
	 * off. Warns if the whole library is off.
	 */
	static final class SwitchAssertions implements BeanFactoryPostProcessor, PriorityOrdered {

		private static final Log logger = LogFactory.getLog(SwitchAssertions.class);

		private static final String ALL = "idempotent.enabled";

		/** The Boolean properties that conditions read. */
		private static final List<String> NAMES = List.of(ALL, "idempotent.guard.enabled",
				"idempotent.guard.receipt.enabled", "idempotent.lock.enabled", "idempotent.lock.rollback-on-loss",
				"idempotent.lock.switching.automatic", "idempotent.lock.switching.enabled",
				"idempotent.store.near-cache.enabled", "idempotent.token.enabled", "idempotent.web.openapi.enabled");

		private final Environment environment;

		SwitchAssertions(Environment environment) {
			this.environment = environment;
		}

		@Override
		public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
			NAMES.forEach(this::requireBoolean);
			if ("false".equalsIgnoreCase(this.environment.getProperty(ALL))) {
				logger.warn(ALL
						+ "=false: the whole library is off. Methods with @ApiIdempotent and @Idempotent run on "
						+ "each submission, methods with @DistributedLocked run without their locks, nothing raises or "
						+ "checks a fence or keeps a receipt, and there are no beans such as IdempotencyTemplate, "
						+ "DistributedLocks and FenceGuard");
			}
		}

		private void requireBoolean(String name) {
			String value = this.environment.getProperty(name);
			PropertyAssertions.that(value == null || value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false"),
					name, String.valueOf(value), "it is neither true nor false",
					"Write " + name + "=true or " + name + "=false");
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

}

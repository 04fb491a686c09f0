package io.idempotent.boot3.autoconfigure;

import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.health.autoconfigure.HealthCheck;
import io.idempotent.health.autoconfigure.HealthChecksConfiguration;
import io.idempotent.health.autoconfigure.HealthReport;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration for health with the types of Spring Boot 3.
 */
@AutoConfiguration(
		after = { IdempotencyAutoConfiguration.class, GuardAutoConfiguration.class, LockAutoConfiguration.class })
@ConditionalOnClass({ HealthChecksConfiguration.class, HealthIndicator.class,
		ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@Import(HealthChecksConfiguration.class)
public final class HealthIndicatorsAutoConfiguration {

	@Bean
	@ConditionalOnEnabledHealthIndicator("idempotent-store")
	@ConditionalOnBean(name = HealthCheck.STORE)
	@ConditionalOnMissingBean(name = "idempotentStoreHealthIndicator")
	HealthIndicator idempotentStoreHealthIndicator(@Qualifier(HealthCheck.STORE) HealthCheck check) {
		return indicator(check);
	}

	@Bean
	@ConditionalOnEnabledHealthIndicator("idempotent-guard")
	@ConditionalOnBean(name = HealthCheck.GUARD)
	@ConditionalOnMissingBean(name = "idempotentGuardHealthIndicator")
	HealthIndicator idempotentGuardHealthIndicator(@Qualifier(HealthCheck.GUARD) HealthCheck check) {
		return indicator(check);
	}

	@Bean
	@ConditionalOnEnabledHealthIndicator("lock-engine")
	@ConditionalOnBean(name = HealthCheck.LOCK_ENGINE)
	@ConditionalOnMissingBean(name = "lockEngineHealthIndicator")
	HealthIndicator lockEngineHealthIndicator(@Qualifier(HealthCheck.LOCK_ENGINE) HealthCheck check) {
		return indicator(check);
	}

	/** An exception of the check becomes DOWN. */
	private static HealthIndicator indicator(HealthCheck check) {
		return new AbstractHealthIndicator() {
			@Override
			protected void doHealthCheck(Health.Builder builder) {
				HealthReport report = check.report();
				builder.status(report.status()).withDetails(report.details());
			}
		};
	}

}

package io.idempotent.boot.health;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.internal.EngineDistributedLocks;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the health of the lock engine in force.
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass({ EngineDistributedLocks.class, HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(DistributedLocks.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class LockHealthAutoConfiguration {

	/** Also a listener, and listeners are created before the locks. */
	@Bean
	@ConditionalOnEnabledHealthIndicator("lock-engine")
	@ConditionalOnMissingBean(name = "lockEngineHealthIndicator")
	LockEngineHealthIndicator lockEngineHealthIndicator(ObjectProvider<DistributedLocks> locks) {
		return new LockEngineHealthIndicator(locks::getObject);
	}

}

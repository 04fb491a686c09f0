package io.idempotent.lock.integration.autoconfigure;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.integration.DistributedLockRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Auto-configuration for a lock registry of Spring Integration on the application's
 * locks.
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass({ LockAutoConfiguration.class, LockRegistry.class })
public final class IntegrationLockAutoConfiguration {

	@Bean("io.idempotent.lockRegistry")
	@ConditionalOnBean(DistributedLocks.class)
	@ConditionalOnMissingBean(LockRegistry.class)
	DistributedLockRegistry lockRegistry(DistributedLocks locks) {
		return new DistributedLockRegistry(locks);
	}

}

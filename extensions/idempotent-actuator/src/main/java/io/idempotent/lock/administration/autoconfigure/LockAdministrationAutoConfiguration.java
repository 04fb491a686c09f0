package io.idempotent.lock.administration.autoconfigure;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.administration.EngineLockAdministration;
import io.idempotent.lock.administration.LockAdministration;
import io.idempotent.lock.administration.SwitchControl;
import io.idempotent.lock.internal.EngineDistributedLocks;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the administration of locks.
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(EngineDistributedLocks.class)
@ConditionalOnSingleCandidate(EngineDistributedLocks.class)
public final class LockAdministrationAutoConfiguration {

	/** A provider, since a bean that depends on locks would need their tables. */
	@Bean("io.idempotent.lockAdministration")
	@ConditionalOnMissingBean
	LockAdministration lockAdministration(ObjectProvider<EngineDistributedLocks> locks,
			ObjectProvider<SwitchControl> switching, ApplicationEventPublisher publisher) {
		return new EngineLockAdministration(locks.getObject(), switching.getIfAvailable(), publisher::publishEvent);
	}

}

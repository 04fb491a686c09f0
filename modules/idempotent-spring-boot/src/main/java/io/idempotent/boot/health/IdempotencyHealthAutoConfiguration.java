package io.idempotent.boot.health;

import io.idempotent.WhenStoreFails;
import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.internal.store.StoreTypes;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.store.IdempotencyStore;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the health of the store.
 */
@AutoConfiguration(after = { IdempotencyAutoConfiguration.class, GuardAutoConfiguration.class })
@ConditionalOnClass({ IdempotencyGate.class, HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(IdempotencyGate.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class IdempotencyHealthAutoConfiguration {

	@Bean
	@ConditionalOnBean(IdempotencyStore.class)
	@ConditionalOnEnabledHealthIndicator("idempotent-store")
	@ConditionalOnMissingBean(name = "idempotentStoreHealthIndicator")
	HealthIndicator idempotentStoreHealthIndicator(IdempotencyGate gate, IdempotencyStore store,
			Environment environment) {
		WhenStoreFails whenStoreFails = environment.getProperty("idempotent.defaults.when-store-fails",
				WhenStoreFails.class, WhenStoreFails.REJECT);
		return new IdempotentStoreHealthIndicator(gate, StoreTypes.of(store), Namespace.in(environment),
				whenStoreFails);
	}

}

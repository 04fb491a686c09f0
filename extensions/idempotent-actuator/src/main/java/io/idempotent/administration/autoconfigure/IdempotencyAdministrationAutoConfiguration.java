package io.idempotent.administration.autoconfigure;

import io.idempotent.administration.DefaultIdempotencyAdministration;
import io.idempotent.administration.IdempotencyAdministration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.receipt.Receipts;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for the administration of operations.
 */
@AutoConfiguration(after = IdempotencyAutoConfiguration.class)
@ConditionalOnClass(IdempotencyGate.class)
@ConditionalOnBean(IdempotencyGate.class)
@ConditionalOnSingleCandidate(IdempotencyStore.class)
public final class IdempotencyAdministrationAutoConfiguration {

	@Bean("io.idempotent.idempotencyAdministration")
	@ConditionalOnMissingBean
	IdempotencyAdministration idempotencyAdministration(IdempotencyGate gate, IdempotencyStore store,
			ObjectProvider<OutcomeCache> cache, ObjectProvider<Receipts> receipts, Environment environment,
			ApplicationEventPublisher events) {
		return new DefaultIdempotencyAdministration(gate, store, cache.getIfAvailable(() -> OutcomeCache.NONE),
				receipts.getIfAvailable(), Namespace.in(environment), NodeName.in(environment), events::publishEvent);
	}

}

package io.idempotent.autoconfigure;

import java.util.List;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.idempotent.IdempotencyListener;
import io.idempotent.OutcomeVerifier;
import io.idempotent.autoconfigure.IdempotentProperties.NearCache;
import io.idempotent.store.IdempotencyGate;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.WakeUps;
import io.idempotent.store.cache.CaffeineOutcomeCache;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.store.redis.RedisIdempotencyStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the store and the state machine of idempotent operations.
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@EnableConfigurationProperties(IdempotentProperties.class)
public final class IdempotencyAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	IdempotencyGate idempotencyGate(IdempotentProperties properties, ObjectProvider<IdempotencyStore> store,
			ObjectProvider<WakeUps> wakeUps, ObjectProvider<OutcomeCache> cache,
			ObjectProvider<OutcomeVerifier> verifier, ObjectProvider<IdempotencyListener> listeners) {
		IdempotencyStore records = store.getIfAvailable(() -> {
			throw new MissingStoreException(properties.store().type());
		});
		return new IdempotencyGate(records, wakeUps(records, wakeUps), properties.waiting().maxWaiters(),
				cache.getIfAvailable(() -> OutcomeCache.NONE), verifier.getIfAvailable(),
				listeners.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean(name = "idempotencyGateLifecycle")
	GateLifecycle idempotencyGateLifecycle(IdempotencyGate gate) {
		return new GateLifecycle(gate);
	}

	/**
	 * The application's own wake-ups win over those of the store.
	 */
	private static @Nullable WakeUps wakeUps(IdempotencyStore store, ObjectProvider<WakeUps> wakeUps) {
		List<WakeUps> others = wakeUps.stream().filter((candidate) -> candidate != store).toList();
		return (others.size() == 1) ? others.get(0) : wakeUps.getIfAvailable();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(IdempotencyStore.class)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnBean(RedisConnectionFactory.class)
	@ConditionalOnProperty(name = "idempotent.store.type", havingValue = "redis", matchIfMissing = true)
	static class RedisStoreConfiguration {

		@Bean
		RedisIdempotencyStore idempotencyStore(IdempotentProperties properties, RedisConnectionFactory connections) {
			String keyPrefix = properties.store().redis().keyPrefix();
			try {
				return new RedisIdempotencyStore(connections, keyPrefix);
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidConfigurationException("idempotent.store.redis.key-prefix", keyPrefix,
						"no key can begin like that", String.valueOf(ex.getMessage()));
			}
		}

		@Bean
		EvictionPolicyWarning idempotencyEvictionPolicyWarning(RedisIdempotencyStore store) {
			return new EvictionPolicyWarning(store);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(IdempotencyStore.class)
	@ConditionalOnProperty(name = "idempotent.store.type", havingValue = "local")
	static class LocalStoreConfiguration {

		@Bean
		LocalIdempotencyStore idempotencyStore(IdempotentProperties properties) {
			return new LocalIdempotencyStore(properties.store().local().maxRecords());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Caffeine.class)
	@ConditionalOnMissingBean(OutcomeCache.class)
	@ConditionalOnBooleanProperty(name = "idempotent.store.near-cache.enabled", matchIfMissing = true)
	static class NearCacheConfiguration {

		@Bean
		CaffeineOutcomeCache idempotencyOutcomeCache(IdempotentProperties properties) {
			NearCache nearCache = properties.store().nearCache();
			return new CaffeineOutcomeCache(nearCache.maxSize().toBytes(), nearCache.maxAge());
		}

	}

}

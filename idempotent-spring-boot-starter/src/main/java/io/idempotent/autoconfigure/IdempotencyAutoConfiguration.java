package io.idempotent.autoconfigure;

import java.util.Objects;

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
			throw new MissingStoreException(properties.getStore().getType());
		});
		return new IdempotencyGate(records, wakeUps.getIfUnique(), properties.getWait().getMaxWaiters(),
				Objects.requireNonNullElse(cache.getIfAvailable(), OutcomeCache.NONE), verifier.getIfUnique(),
				listeners.orderedStream().toList());
	}

	@Bean
	GateLifecycle idempotencyGateLifecycle(IdempotencyGate gate) {
		return new GateLifecycle(gate);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(IdempotencyStore.class)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnBean(RedisConnectionFactory.class)
	@ConditionalOnProperty(name = "idempotent.store.type", havingValue = "redis", matchIfMissing = true)
	static class RedisStoreConfiguration {

		@Bean
		RedisIdempotencyStore idempotencyStore(IdempotentProperties properties, RedisConnectionFactory connections) {
			try {
				return new RedisIdempotencyStore(connections, properties.getStore().getRedis().getKeyPrefix());
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidConfigurationException(ex);
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
			return new LocalIdempotencyStore(properties.getStore().getLocal().getMaxRecords());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Caffeine.class)
	@ConditionalOnMissingBean(OutcomeCache.class)
	@ConditionalOnBooleanProperty(name = "idempotent.store.near-cache.enabled", matchIfMissing = true)
	static class NearCacheConfiguration {

		@Bean
		CaffeineOutcomeCache idempotencyOutcomeCache(IdempotentProperties properties) {
			NearCache nearCache = properties.getStore().getNearCache();
			return new CaffeineOutcomeCache(nearCache.getMaxSize().toBytes(), nearCache.getMaxAge());
		}

	}

}

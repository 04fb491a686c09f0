package io.idempotent.boot.lock;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.redisson.RedissonLockEngine;
import org.redisson.api.RedissonClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/** The lock engine {@code redisson}, which is the default. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedissonLockEngine.class)
@ConditionalOnBean(RedissonClient.class)
@ConditionalOnLockEngine(value = "redisson", byDefault = true)
class RedissonEngineConfiguration {

	/**
	 * Locks are closed before the client, although it may be created after them, because
	 * a stopping node notifies the others.
	 */
	@Bean("io.idempotent.redissonLockEngine")
	@ConditionalOnMissingBean(name = "io.idempotent.redissonLockEngine")
	RedissonLockEngine redissonLockEngine(ObjectProvider<RedissonClient> client, LockProperties properties,
			ConfigurableListableBeanFactory beans, ConfigurableEnvironment environment) {
		for (String name : beans.getBeanNamesForType(RedissonClient.class, true, false)) {
			beans.registerDependentBean(name, "io.idempotent.distributedLocks");
		}
		String keyPrefix = properties.redisson().keyPrefix();
		try {
			return new RedissonLockEngine(client::getObject, keyPrefix, NodeName.in(environment));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationException("idempotent.lock.redisson.key-prefix", keyPrefix,
					"no key can begin like that", String.valueOf(ex.getMessage()));
		}
	}

	@Bean("io.idempotent.redissonServerWarning")
	@ConditionalOnBean(RedissonLockEngine.class)
	RedissonServerWarning redissonServerWarning(ObjectProvider<RedissonLockEngine> engine) {
		return new RedissonServerWarning(engine::getObject);
	}

}

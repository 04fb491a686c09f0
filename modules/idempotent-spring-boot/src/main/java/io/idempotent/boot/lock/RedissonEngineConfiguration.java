package io.idempotent.boot.lock;

import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.redis.RedissonLockEngine;
import org.redisson.api.RedissonClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/** The lock engine {@code redisson}, which is the default. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ RedissonLockEngine.class, RedissonClient.class })
@ConditionalOnSingleCandidate(RedissonClient.class)
@ConditionalOnLockEngine(value = "redisson", byDefault = true)
class RedissonEngineConfiguration {

	/**
	 * Locks are closed before the client, although it may be created after them, because
	 * a stopping node notifies the others.
	 */
	@Bean("io.idempotent.redissonLockEngine")
	@ConditionalOnMissingBean(name = "io.idempotent.redissonLockEngine")
	RedissonLockEngine redissonLockEngine(ObjectProvider<RedissonClient> client, ConfigurableListableBeanFactory beans,
			ConfigurableEnvironment environment) {
		for (String name : beans.getBeanNamesForType(RedissonClient.class, true, false)) {
			beans.registerDependentBean(name, "io.idempotent.distributedLocks");
		}
		return new RedissonLockEngine(client::getObject, NodeName.in(environment));
	}

}

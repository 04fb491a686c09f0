package io.idempotent.boot.lock;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.redis.RedisLockEngine;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The lock engine {@code redis}, which needs no Redisson. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ RedisLockEngine.class, RedisConnectionFactory.class })
@ConditionalOnBean(RedisConnectionFactory.class)
@ConditionalOnLockEngine("redis")
class RedisEngineConfiguration {

	@Bean("io.idempotent.redisLockEngine")
	@ConditionalOnMissingBean(name = "io.idempotent.redisLockEngine")
	RedisLockEngine redisLockEngine(ObjectProvider<RedisConnectionFactory> factories,
			ConfigurableEnvironment environment) {
		RedisConnectionFactory factory = factories.getObject();
		if (factory instanceof LettuceConnectionFactory lettuce) {
			return new RedisLockEngine(lettuce, NodeName.in(environment));
		}
		throw new InvalidConfigurationException("idempotent.lock.engines", "redis",
				"the RedisConnectionFactory is a " + factory.getClass().getName() + ", and not one of Lettuce",
				"Use Lettuce (spring.data.redis.client-type=lettuce), or name redisson, which works beside any client");
	}

	@Bean("io.idempotent.redisLockConnections")
	SmartLifecycle redisLockConnections(ConfigurableApplicationContext context,
			ObjectProvider<RedisConnectionFactory> factories) {
		return new LastConnections(context, factories);
	}

	/**
	 * Spring stops a connection factory before it destroys beans, which may hold locks
	 * until then. If locks are held while the context closes, the factory is started once
	 * more; it is destroyed after the locks. Not a dependent of the factory, or it would
	 * be stopped first.
	 */
	private record LastConnections(ConfigurableApplicationContext context,
			ObjectProvider<RedisConnectionFactory> factories) implements SmartLifecycle {

		@Override
		public void start() {
			// Nothing is to be done before the end.
		}

		@Override
		public void stop() {
			if (this.context.isClosed()
					&& this.context.getBeanFactory()
						.getSingleton("io.idempotent.distributedLocks") instanceof EngineDistributedLocks locks
					&& locks.namesInUse() > 0
					&& this.factories.getIfUnique() instanceof LettuceConnectionFactory factory) {
				factory.start();
			}
		}

		@Override
		public boolean isRunning() {
			return true;
		}

		/** Stopped last. */
		@Override
		public int getPhase() {
			return Integer.MIN_VALUE;
		}

	}

}

package io.idempotent.boot.lock;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.lock.redisson.RedissonLockEngine;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration for a {@link RedissonClient} on the Redis that Spring Boot is
 * configured for, unless the application defines a client. It connects on first use, and
 * does not change the connection factory of Spring Data Redis.
 *
 * <p>
 * If the application defines a
 * {@link org.springframework.data.redis.connection.RedisConnectionFactory}, the client
 * uses its servers, so that records and locks are in one Redis. If they cannot be
 * determined, a warning is logged at startup and the first lock fails: the application
 * has to define a client as well.
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnClass({ RedissonLockEngine.class, Redisson.class, DataRedisConnectionDetails.class })
@ConditionalOnBean(DataRedisConnectionDetails.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DataRedisProperties.class)
public final class RedissonClientAutoConfiguration {

	private static final Log logger = LogFactory.getLog(RedissonClientAutoConfiguration.class);

	// The lazy bean saves threads, the lazy configuration saves connections.
	@Bean(name = "io.idempotent.redissonClient", destroyMethod = "shutdown")
	@Lazy
	@ConditionalOnMissingBean
	RedissonClient redissonClient(ConfigurableApplicationContext context, DataRedisConnectionDetails details,
			DataRedisProperties properties, ObjectProvider<RedissonConfigCustomizer> customizers) {
		ConfigurableListableBeanFactory beans = context.getBeanFactory();
		RedisServers servers = RedisServers.of(beans, details, RedissonConfigFactory.isEncrypted(properties));
		Config config = new RedissonConfigFactory(servers, properties).create();
		customizers.orderedStream().forEach((customizer) -> customizer.customize(config));
		RedissonClient client = Redisson.create(config);
		// Its timer is no daemon: without this, it would keep a finished application
		// alive.
		DaemonThreads.runWithoutOthers("idempotent-lock-redisson-end", "redisson-timer", context::isActive,
				() -> end(context, client));
		return client;
	}

	/** Spring does not destroy a bean that is created while its context closes. */
	private static void end(ConfigurableApplicationContext context, RedissonClient client) {
		context.close();
		if (!client.isShutdown()) {
			client.shutdown();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(RedissonClient.class)
	@ConditionalOnLockEngine(value = "redisson", byDefault = true)
	static class ServersConfiguration {

		@Bean("io.idempotent.redissonServersCheck")
		SmartInitializingSingleton redissonServersCheck(ConfigurableListableBeanFactory beans,
				DataRedisConnectionDetails details, DataRedisProperties properties) {
			return () -> {
				try {
					RedisServers.of(beans, details, RedissonConfigFactory.isEncrypted(properties)).log();
				}
				catch (InvalidConfigurationException ex) {
					logger.warn("Locks cannot be taken on the engine 'redisson': " + ex.getMessage());
				}
			};
		}

	}

}

package io.idempotent.boot.lock;

import io.idempotent.boot.InvalidConfigurationException;
import io.idempotent.lock.redisson.RedissonLockEngine;
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
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * A {@link RedissonClient} for the Redis that Spring Boot knows, unless the application
 * has a client of its own. It connects when it is first used and not before. The
 * connection factory of Spring Data Redis stays what it is.
 *
 * <p>
 * An application that has defined its own
 * {@link org.springframework.data.redis.connection.RedisConnectionFactory} gets a client
 * for the servers of that one, so that records and locks are in one Redis. Where its
 * servers cannot be told, the first lock fails and the start warns: then the application
 * brings its own {@link RedissonClient} too.
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnClass({ RedissonLockEngine.class, DataRedisConnectionDetails.class })
@ConditionalOnBean(DataRedisConnectionDetails.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DataRedisProperties.class)
public final class RedissonClientAutoConfiguration {

	private static final Log logger = LogFactory.getLog(RedissonClientAutoConfiguration.class);

	// Lazy here spares the threads, lazy in the configuration spares the connections.
	@Bean(destroyMethod = "shutdown")
	@Lazy
	@ConditionalOnMissingBean
	RedissonClient redissonClient(ConfigurableListableBeanFactory beans, DataRedisConnectionDetails details,
			DataRedisProperties properties, ObjectProvider<RedissonConfigCustomizer> customizers) {
		RedisServers servers = RedisServers.of(beans, details, RedissonConfigFactory.isEncrypted(properties));
		Config config = new RedissonConfigFactory(servers, properties).create();
		customizers.orderedStream().forEach((customizer) -> customizer.customize(config));
		return Redisson.create(config);
	}

	/**
	 * Without a client of the application's own, the start says where locks go.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(RedissonClient.class)
	@ConditionalOnLockEngine(value = "redisson", byDefault = true)
	static class ServersConfiguration {

		@Bean
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

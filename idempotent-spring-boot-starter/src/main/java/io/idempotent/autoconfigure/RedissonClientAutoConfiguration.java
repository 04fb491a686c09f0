package io.idempotent.autoconfigure;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.beans.factory.ObjectProvider;
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
import org.springframework.context.annotation.Lazy;

/**
 * A {@link RedissonClient} for the Redis that Spring Boot knows, unless the application
 * has a client of its own. It connects when it is first used and not before. The
 * connection factory of Spring Data Redis stays what it is.
 *
 * <p>
 * Connection details are all it reads: an application that points Spring Data Redis
 * elsewhere with beans of its own brings its own {@link RedissonClient} too.
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnClass({ Redisson.class, DataRedisConnectionDetails.class })
@ConditionalOnBean(DataRedisConnectionDetails.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DataRedisProperties.class)
public final class RedissonClientAutoConfiguration {

	// Lazy here spares the threads, lazy in the configuration spares the connections.
	@Bean(destroyMethod = "shutdown")
	@Lazy
	@ConditionalOnMissingBean
	RedissonClient redissonClient(DataRedisConnectionDetails details, DataRedisProperties properties,
			ObjectProvider<RedissonConfigCustomizer> customizers) {
		Config config = new RedissonConfigFactory(details, properties).create();
		customizers.orderedStream().forEach((customizer) -> customizer.customize(config));
		return Redisson.create(config);
	}

}

package io.idempotent.boot3.autoconfigure;

import java.util.List;

import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.internal.redis.RedisDetails;
import io.idempotent.boot.lock.RedissonClientAutoConfiguration;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Cluster;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Sentinel;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Standalone;
import org.springframework.boot.autoconfigure.data.redis.RedisProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for {@link RedisDetails} from the types of Spring Boot 3, which
 * knows no master with replicas.
 */
@AutoConfiguration(after = RedisAutoConfiguration.class,
		before = { IdempotencyAutoConfiguration.class, RedissonClientAutoConfiguration.class })
@ConditionalOnClass(RedisConnectionDetails.class)
@ConditionalOnSingleCandidate(RedisConnectionDetails.class)
@EnableConfigurationProperties(RedisProperties.class)
public final class RedisDetailsAutoConfiguration {

	@Bean("io.idempotent.redisDetails")
	RedisDetails redisDetails(RedisConnectionDetails details, RedisProperties properties) {
		return new RedisDetails(details.getUsername(), details.getPassword(), sslBundle(details), List.of(),
				properties.getClientName(), properties.getTimeout(), properties.getConnectTimeout());
	}

	private static @Nullable SslBundle sslBundle(RedisConnectionDetails details) {
		Sentinel sentinel = details.getSentinel();
		if (sentinel != null) {
			return sentinel.getSslBundle();
		}
		Cluster cluster = details.getCluster();
		if (cluster != null) {
			return cluster.getSslBundle();
		}
		Standalone standalone = details.getStandalone();
		return (standalone != null) ? standalone.getSslBundle() : null;
	}

}

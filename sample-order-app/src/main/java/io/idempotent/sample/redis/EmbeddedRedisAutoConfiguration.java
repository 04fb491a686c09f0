package io.idempotent.sample.redis;

import io.idempotent.embedded.EmbeddedRedis;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Starts a Redis for the shop unless one is configured. An auto-configuration, so that
 * connection details from elsewhere (Testcontainers, Docker Compose, a bean of the
 * application) are defined before its condition is evaluated.
 */
@AutoConfiguration(before = DataRedisAutoConfiguration.class)
@Conditional(OnNoRedisConfiguredCondition.class)
@ConditionalOnMissingBean(DataRedisConnectionDetails.class)
final class EmbeddedRedisAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedRedisAutoConfiguration.class);

	@Bean
	EmbeddedRedis embeddedRedis() {
		EmbeddedRedis redis = EmbeddedRedis.start();
		logger.info(
				"No Redis is configured: started one on {}:{}, which ends with this application. A second instance "
						+ "with the same database joins by --server.port=8081 --spring.data.redis.port={}",
				redis.host(), redis.port(), redis.port());
		return redis;
	}

	@Bean
	DataRedisConnectionDetails embeddedRedisConnectionDetails(EmbeddedRedis redis, DataRedisProperties properties) {
		return new EmbeddedRedisConnectionDetails(redis, properties.getDatabase());
	}

	/**
	 * The address of the embedded Redis.
	 *
	 * @param redis the embedded Redis
	 * @param database the number of the database in it
	 */
	private record EmbeddedRedisConnectionDetails(EmbeddedRedis redis,
			int database) implements DataRedisConnectionDetails {

		@Override
		public Standalone getStandalone() {
			return Standalone.of(this.redis.host(), this.redis.port(), this.database);
		}

	}

}

package io.idempotent.redis;

import java.util.Optional;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Asks Redis whether it would rather forget a record than refuse a write.
 */
final class EvictionPolicyCheck {

	private static final Log logger = LogFactory.getLog(EvictionPolicyCheck.class);

	private static final String SETTING = "maxmemory-policy";

	private static final String SAFE = "noeviction";

	private final RedisConnectionFactory connections;

	EvictionPolicyCheck(RedisConnectionFactory connections) {
		this.connections = connections;
	}

	/**
	 * Returns the first policy that evicts, of any node. A managed Redis often refuses
	 * the question, which is no answer.
	 */
	Optional<String> evictingPolicy() {
		try (RedisConnection connection = this.connections.getConnection()) {
			// In a cluster each setting is preceded by its node.
			return connection.serverCommands()
				.getConfig(SETTING)
				.values()
				.stream()
				.map(Object::toString)
				.filter((policy) -> !policy.equals(SAFE))
				.findFirst();
		}
		catch (RuntimeException ex) {
			logger.debug("Redis does not tell its " + SETTING, ex);
			return Optional.empty();
		}
	}

}

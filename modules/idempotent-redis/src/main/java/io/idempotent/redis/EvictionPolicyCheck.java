package io.idempotent.redis;

import java.util.Optional;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Asks Redis whether it evicts records when its memory is full.
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
	 * Returns the first policy of any node that evicts keys. Returns nothing if Redis
	 * refuses the question, as managed services often do.
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
			logger.debug("Redis refused to return its " + SETTING, ex);
			return Optional.empty();
		}
	}

}

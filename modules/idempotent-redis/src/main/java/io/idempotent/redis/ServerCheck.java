package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/** Checks commands, version and eviction policy; a server that refuses to say passes. */
record ServerCheck(RedisConnectionFactory connections) {

	static final RedisRequirements REQUIREMENTS = new RedisRequirements("the store of idempotent operations",
			List.of("get", "set", "del", "pttl", "pexpire", "setrange", "publish", "subscribe", "eval", "evalsha"));

	private static final Log logger = LogFactory.getLog(ServerCheck.class);

	private static final String EVICTION_POLICY = "maxmemory-policy";

	private static final String NO_EVICTION = "noeviction";

	/** In a Cluster, those of one node. */
	List<String> unmetRequirements() {
		return REQUIREMENTS.check(this::eval);
	}

	private @Nullable List<String> eval(String script, List<String> arguments) {
		try (RedisConnection connection = this.connections.getConnection()) {
			List<Object> reply = connection.scriptingCommands()
				.eval(bytes(script), ReturnType.MULTI, 0,
						arguments.stream().map(ServerCheck::bytes).toArray(byte[][]::new));
			return (reply != null) ? reply.stream().map(ServerCheck::text).toList() : null;
		}
	}

	/** The first policy of any node that evicts keys. */
	Optional<String> evictingPolicy() {
		try (RedisConnection connection = this.connections.getConnection()) {
			// In a cluster each setting is preceded by its node.
			return connection.serverCommands()
				.getConfig(EVICTION_POLICY)
				.values()
				.stream()
				.map(Object::toString)
				.filter((policy) -> !policy.equals(NO_EVICTION))
				.findFirst();
		}
		catch (RuntimeException ex) {
			logger.debug("Redis refused to return its " + EVICTION_POLICY, ex);
			return Optional.empty();
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(Object reply) {
		return (reply instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(reply);
	}

}

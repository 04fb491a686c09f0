package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.idempotent.support.RedisRequirements;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Checks the version and the commands of the server. In a Cluster, those of one node.
 */
final class ServerCheck {

	static final RedisRequirements REQUIREMENTS = new RedisRequirements("the store of idempotent operations",
			List.of("get", "set", "del", "pttl", "pexpire", "setrange", "publish", "subscribe", "eval", "evalsha"));

	private static final Log logger = LogFactory.getLog(ServerCheck.class);

	private final RedisConnectionFactory connections;

	ServerCheck(RedisConnectionFactory connections) {
		this.connections = connections;
	}

	/**
	 * Returns a message for each requirement that the server does not meet; none if it
	 * does not answer.
	 */
	List<String> unmetRequirements() {
		byte[][] commands = REQUIREMENTS.commands().stream().map(ServerCheck::bytes).toArray(byte[][]::new);
		try (RedisConnection connection = this.connections.getConnection()) {
			List<Object> reply = connection.scriptingCommands()
				.eval(bytes(RedisRequirements.SCRIPT), ReturnType.MULTI, 0, commands);
			return (reply != null) ? REQUIREMENTS.unmet(reply.stream().map(ServerCheck::text).toList()) : List.of();
		}
		catch (RuntimeException ex) {
			logger.debug("Redis did not report its version and commands", ex);
			return List.of();
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(Object reply) {
		return (reply instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(reply);
	}

}

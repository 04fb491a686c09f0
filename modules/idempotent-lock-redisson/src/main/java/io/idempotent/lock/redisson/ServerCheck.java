package io.idempotent.lock.redisson;

import java.util.List;

import io.idempotent.support.RedisRequirements;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/**
 * Checks the version and the commands of the server. In a Cluster, those of one node.
 */
final class ServerCheck {

	static final RedisRequirements REQUIREMENTS = new RedisRequirements("the lock engine 'redisson'",
			List.of("get", "set", "del", "time", "pttl", "pexpire", "hset", "hlen", "hexists", "hkeys", "lindex",
					"lpop", "rpush", "lrem", "zadd", "zscore", "zrem", "zrange", "zrangebyscore", "zremrangebyscore",
					"exists", "publish", "subscribe", "evalsha", "script"));

	private static final Log logger = LogFactory.getLog(ServerCheck.class);

	private ServerCheck() {
	}

	/**
	 * Returns a message for each requirement that the server does not meet; none if it
	 * does not answer.
	 */
	static List<String> unmetRequirements(RedissonClient client) {
		try {
			List<String> reply = client.getScript(StringCodec.INSTANCE)
				.eval(Mode.READ_WRITE, RedisRequirements.SCRIPT, ReturnType.LIST, List.of(),
						REQUIREMENTS.commands().toArray());
			return REQUIREMENTS.unmet(reply);
		}
		catch (RuntimeException ex) {
			logger.debug("Redis did not report its version and commands", ex);
			return List.of();
		}
	}

}

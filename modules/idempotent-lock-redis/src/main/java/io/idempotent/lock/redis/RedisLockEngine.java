package io.idempotent.lock.redis;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * As {@link RedissonLockEngine}, without Redisson: through the Lettuce client of a
 * {@link LettuceConnectionFactory}. It uses the same keys, channels and scripts, so that
 * nodes with either engine, and Redisson's own locks, exclude and wake each other.
 *
 * <p>
 * On one server, commands share the connection of the application: the one that a factory
 * shares, or otherwise one of its pool, which the engine keeps. Where a grant waits for
 * replicas (Sentinel, master and replicas, Cluster), which blocks a connection, the
 * engine has a connection of its own to each master. Waiting threads share one more
 * connection for messages. Connections open with the first lock that needs them, and are
 * closed with the engine or the factory.
 *
 * <p>
 * A call waits for a reply for the time-out of the factory, and for 3 seconds at most; in
 * the same way for a connection. A call whose connection breaks has no reply, even if
 * Lettuce repeats it: a release is then repeated, and an attempt as in a
 * {@link RedissonLockEngine}. A grant that no replica has received within a second is
 * refused; while a replica does not answer, most grants wait for a tenth of that. In a
 * Cluster, the engine refreshes Lettuce's view of the topology after a failure. While a
 * hash slot moves to another node, its locks are unavailable.
 */
public final class RedisLockEngine extends AbstractRedisLockEngine {

	/**
	 * Creates the engine. Does not connect.
	 * @param connections where locks are kept; started before the first lock
	 * @param node the name of this node, which is part of the owner of each lock, so that
	 * operators can tell which node holds it; or an empty text
	 */
	public RedisLockEngine(LettuceConnectionFactory connections, String node) {
		super("redis", () -> new LettuceTransport(connections), node);
	}

}

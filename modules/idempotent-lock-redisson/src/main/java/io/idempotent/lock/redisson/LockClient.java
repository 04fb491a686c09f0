package io.idempotent.lock.redisson;

import org.redisson.api.RedissonClient;

/**
 * The application's Redisson client, and what locks do with it.
 *
 * @param client the client
 * @param scripts runs scripts
 * @param topics publishes and receives releases
 */
record LockClient(RedissonClient client, RedisScripts scripts, ReleaseTopics topics) {

	LockClient(RedissonClient client) {
		this(client, new RedisScripts(client), new ReleaseTopics(client));
	}

}

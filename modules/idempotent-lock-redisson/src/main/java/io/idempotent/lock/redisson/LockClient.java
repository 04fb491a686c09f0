package io.idempotent.lock.redisson;

import org.redisson.api.RedissonClient;

/**
 * The application's Redisson client, with the services that locks need.
 *
 * @param client the client
 * @param scripts runs scripts
 * @param topics publishes and receives releases
 * @param owners creates the ids of owners
 */
record LockClient(RedissonClient client, RedisScripts scripts, ReleaseTopics topics, RedisOwners owners) {

	LockClient(RedissonClient client, String node) {
		this(client, new RedisScripts(client), new ReleaseTopics(client), new RedisOwners(client.getId(), node));
	}

}

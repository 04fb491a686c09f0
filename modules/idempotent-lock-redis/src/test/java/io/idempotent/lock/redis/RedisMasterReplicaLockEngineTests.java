package io.idempotent.lock.redis;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The contract without Redisson and without messages, on a static master and its replica.
 */
@Tag("slow")
class RedisMasterReplicaLockEngineTests extends RedissonLockEngineContract {

	@AutoClose
	private static EmbeddedRedis master;

	@AutoClose
	private static EmbeddedRedis replica;

	@AutoClose
	private static TestRedisson clients;

	@BeforeAll
	static void start() {
		master = EmbeddedRedis.start("--repl-diskless-sync-delay", "0");
		replica = EmbeddedRedis.start("--replicaof", master.host() + " " + master.port());
		clients = TestRedisson.of(master, replica).withoutRedisson();
	}

	@Override
	TestRedisson clients() {
		return clients;
	}

}

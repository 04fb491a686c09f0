package io.idempotent.lock.redis;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/**
 * The contract without Redisson and without messages, on a static master and its replica.
 */
@Tag("slow")
class RedisMasterReplicaLockEngineTests extends RedissonLockEngineContract {

	@AutoClose
	private static final EmbeddedRedis master = EmbeddedRedis.start("--repl-diskless-sync-delay", "0");

	@AutoClose
	private static final EmbeddedRedis replica = EmbeddedRedis.start("--replicaof",
			master.host() + " " + master.port());

	@AutoClose
	private static final TestRedisson clients = TestRedisson.of(master, replica).withoutRedisson();

	@Override
	TestRedisson clients() {
		return clients;
	}

}

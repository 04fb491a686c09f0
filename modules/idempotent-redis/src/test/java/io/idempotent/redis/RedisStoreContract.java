package io.idempotent.redis;

import java.time.Duration;

import io.idempotent.contract.store.IdempotencyStoreContract;

/**
 * What every store promises, by the clock of Redis.
 */
abstract class RedisStoreContract extends IdempotencyStoreContract {

	@Override
	protected final void pass(Duration time) {
		TestRedis.sleep(time);
	}

}

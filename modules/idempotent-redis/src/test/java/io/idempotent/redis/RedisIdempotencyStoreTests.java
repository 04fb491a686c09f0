package io.idempotent.redis;

import java.time.Duration;

import io.idempotent.test.contract.IdempotencyStoreContract;
import io.idempotent.store.IdempotencyStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisIdempotencyStoreTests extends IdempotencyStoreContract {

	private static TestRedis redis;

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Override
	protected IdempotencyStore store() {
		return redis.store();
	}

	@Override
	protected void pass(Duration time) {
		TestRedis.sleep(time);
	}

}

package io.idempotent.lock.integration;

import java.time.Duration;
import java.util.List;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.redis.RedissonLockEngine;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;

/**
 * A node with its own client of a Redis, and short leases.
 */
final class RedisNode implements AutoCloseable {

	private final RedissonClient client;

	private final EngineDistributedLocks locks;

	RedisNode(String host, int port) {
		Config config = new Config();
		config.setLazyInitialization(true);
		config.setNettyThreads(2);
		config.setCodec(StringCodec.INSTANCE);
		config.useSingleServer()
			.setAddress("redis://" + host + ":" + port)
			.setConnectionMinimumIdleSize(1)
			.setTimeout(1000)
			.setRetryAttempts(0)
			.setReconnectionDelay(new ConstantDelay(Duration.ofMillis(100)));
		this.client = Redisson.create(config);
		this.locks = new EngineDistributedLocks(List.of(new RedissonLockEngine(() -> this.client, "")),
				Duration.ofMillis(1500), List.of());
	}

	EngineDistributedLocks locks() {
		return this.locks;
	}

	DistributedLockRegistry registry() {
		return new DistributedLockRegistry(this.locks);
	}

	DistributedLockRegistry registryThatInterrupts() {
		return new DistributedLockRegistry(this.locks, DistributedLockRegistry.DEFAULT_PREFIX,
				LockOptions.DEFAULTS.withInterruptOnLoss(true));
	}

	@Override
	public void close() {
		this.locks.close();
		this.client.shutdown();
	}

}

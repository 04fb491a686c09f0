package io.idempotent.benchmarks.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.idempotent.benchmarks.lock.LockContender.Role;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.redis.RedisLockEngine;
import io.idempotent.lock.redis.RedissonLockEngine;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * Locks in Redis. Ours on Redisson and Redisson's own share a client, with the
 * connections that the starter would give it; the others, ours without Redisson too,
 * share a connection of Lettuce, which is what Spring Boot would give them.
 */
final class RedisRivals implements Rivals {

	private final RedissonClient redisson;

	private final LettuceConnectionFactory lettuce;

	private final EngineDistributedLocks ours;

	private final EngineDistributedLocks oursWithoutRedisson;

	private final RedisLockRegistry spinning;

	private final RedisLockRegistry subscribed;

	private final LockProvider shedLock;

	RedisRivals(int port) {
		this.redisson = redisson(port);
		this.lettuce = new LettuceConnectionFactory("127.0.0.1", port);
		this.lettuce.afterPropertiesSet();
		this.lettuce.start();
		this.ours = Rivals.ours(new RedissonLockEngine(() -> this.redisson, ""));
		this.oursWithoutRedisson = Rivals.ours(new RedisLockEngine(this.lettuce, ""));
		this.spinning = new RedisLockRegistry(this.lettuce, "spin", LEASE);
		this.subscribed = new RedisLockRegistry(this.lettuce, "pubsub", LEASE);
		this.subscribed.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
		this.shedLock = new RedisLockProvider(this.lettuce);
	}

	private static RedissonClient redisson(int port) {
		Config config = new Config();
		config.setThreads(4);
		config.setNettyThreads(1);
		config.setCodec(StringCodec.INSTANCE);
		config.useSingleServer()
			.setAddress("redis://127.0.0.1:" + port)
			.setConnectionMinimumIdleSize(1)
			.setConnectionPoolSize(16)
			.setSubscriptionConnectionPoolSize(10)
			.setSubscriptionsPerConnection(100);
		return Redisson.create(config);
	}

	@Override
	public List<LockContender> contenders() {
		return List.of(new LockContender("this library, redisson", Role.OURS, Rivals.guard(this.ours)),
				new LockContender("this library, redis", Role.OURS, Rivals.guard(this.oursWithoutRedisson)),
				new LockContender("Redisson RLock", Role.RAW, Guard.of(this.redisson::getLock)),
				new LockContender("Redisson RFencedLock", Role.RAW, Guard.of(this.redisson::getFencedLock)),
				new LockContender("Spring Integration, spin", Role.PEER, Guard.of(this.spinning::obtain)),
				new LockContender("Spring Integration, pub-sub", Role.PEER, Guard.of(this.subscribed::obtain)),
				new LockContender("ShedLock, which never waits", Role.PEER_WITHOUT_WAITING, once(this.shedLock)));
	}

	/**
	 * ShedLock says at once whether a lock is free, and never waits.
	 */
	static Guard once(LockProvider provider) {
		return (name, section) -> {
			var lock = provider.lock(new LockConfiguration(Instant.now(), name, LEASE, Duration.ZERO)).orElseThrow();
			try {
				section.run();
			}
			finally {
				lock.unlock();
			}
		};
	}

	@Override
	public void close() {
		this.ours.close();
		this.oursWithoutRedisson.close();
		this.subscribed.destroy();
		this.spinning.destroy();
		this.lettuce.destroy();
		this.redisson.shutdown();
	}

}

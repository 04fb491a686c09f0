package io.idempotent.benchmarks.token;

import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.idempotent.benchmarks.server.RedisServer;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The usual way: under a Redisson lock, get the token, compare it, delete it.
 */
final class LockedGetDelete implements TokenWay, AutoCloseable {

	private final StringRedisTemplate template;

	private final RedissonClient redisson;

	LockedGetDelete(RedisServer redis) {
		this.template = new StringRedisTemplate(redis.connections());
		Config config = new Config();
		config.setCodec(StringCodec.INSTANCE);
		config.useSingleServer().setAddress(redis.address());
		this.redisson = Redisson.create(config);
	}

	@Override
	public String issue() {
		String token = UUID.randomUUID().toString();
		this.template.opsForValue().set(key(token), token, TokenArea.LIFE);
		return token;
	}

	@Override
	public void check(String token) {
		RLock lock = this.redisson.getLock("order:token:lock:" + token);
		lock.lock(5, TimeUnit.SECONDS);
		try {
			if (!token.equals(this.template.opsForValue().get(key(token)))) {
				throw new IllegalStateException("The token was not there");
			}
			if (!this.template.delete(key(token))) {
				throw new IllegalStateException("The token went away under the lock");
			}
		}
		finally {
			lock.unlock();
		}
	}

	private static String key(String token) {
		return "order:token:" + token;
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

}

package io.idempotent.lock.engine.redisson;

import java.time.Duration;

import io.idempotent.lock.engine.LockGrant;

/**
 * A grant that lives in Redis for its lease.
 */
final class RedissonGrant implements LockGrant {

	private final OwnedLock lock;

	private final long token;

	private final Duration lease;

	RedissonGrant(OwnedLock lock, long token, Duration lease) {
		this.lock = lock;
		this.token = token;
		this.lease = lease;
	}

	@Override
	public long token() {
		return this.token;
	}

	@Override
	public Duration lease() {
		return this.lease;
	}

	@Override
	public Standing renew(Duration lease) {
		return standing(Answers.awaitUninterruptibly(() -> this.lock.renew(lease), "renew " + this.lock));
	}

	@Override
	public Standing release(Duration keepFor) {
		return standing(Answers.awaitUninterruptibly(() -> this.lock.release(keepFor), "release " + this.lock));
	}

	private static Standing standing(boolean held) {
		return held ? Standing.HELD : Standing.LOST;
	}

}

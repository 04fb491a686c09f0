package io.idempotent.lock.redisson;

import java.time.Duration;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A lock granted in Redis, until its lease ends.
 */
final class RedissonGrant implements LockGrant {

	private final RedisLock lock;

	private final long token;

	private final Duration lease;

	RedissonGrant(RedisLock lock, long token, Duration lease) {
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
	public Ownership renew(Duration lease) {
		return ownership(RedisFutures.awaitUninterruptibly(() -> this.lock.renew(lease), "renew " + this.lock));
	}

	@Override
	public Ownership release(Duration keepFor) {
		return ownership(RedisFutures.awaitUninterruptibly(() -> this.lock.release(keepFor), "release " + this.lock));
	}

	/**
	 * Does nothing for fair locks, whose queue is in Redis.
	 */
	@Override
	public @Nullable LockGrant handOff(LockRequest next) {
		if (this.lock.isFair() || next.fair()) {
			return null;
		}
		RedisLock successor = this.lock.forAnotherOwner();
		try {
			long token = RedisFutures
				.awaitUninterruptibly(() -> successor.takeFrom(this.lock, next.lease()), "hand off " + this.lock)
				.get(0);
			return (token > 0) ? new RedissonGrant(successor, token, next.lease()) : null;
		}
		catch (LockUnavailableException ex) {
			RedissonLockEngine.giveBack(successor);
			throw ex;
		}
	}

	private static Ownership ownership(boolean held) {
		return held ? Ownership.HELD : Ownership.LOST;
	}

}

package io.idempotent.lock.redisson;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

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
	public GrantState renew(Duration lease) {
		return state(RedisFutures.awaitUninterruptibly(() -> this.lock.renew(lease), "renew " + this.lock));
	}

	@Override
	public GrantState release(Duration keepFor) {
		return state(RedisFutures.awaitUninterruptibly(() -> this.lock.release(keepFor), "release " + this.lock));
	}

	/**
	 * Does nothing for fair locks, whose queue is in Redis, and while readers wait.
	 */
	@Override
	public @Nullable LockGrant handOff(LockRequest next) {
		if (next.fair() || this.lock.isFair() || !(this.lock instanceof ExclusiveRedisLock exclusive)) {
			return null;
		}
		ExclusiveRedisLock successor = exclusive.forAnotherOwner();
		List<Long> reply = takeOver(successor, () -> successor.takeFrom(exclusive, next.lease()), "hand off ");
		return (reply.get(0) > 0) ? new RedissonGrant(successor, reply.get(0), next.lease()) : null;
	}

	@Override
	public @Nullable LockGrant downgrade() {
		if (!(this.lock instanceof ExclusiveRedisLock exclusive)) {
			return null;
		}
		SharedRedisLock reader = exclusive.forReader();
		List<Long> reply = takeOver(reader, () -> reader.takeFrom(exclusive, this.lease), "downgrade ");
		return (reply.get(0) > 0) ? new RedissonGrant(reader, 0, this.lease) : null;
	}

	private List<Long> takeOver(RedisLock successor, Supplier<CompletableFuture<List<Long>>> command, String what) {
		try {
			return RedisFutures.awaitUninterruptibly(command, what + this.lock);
		}
		catch (LockUnavailableException ex) {
			successor.giveBack();
			throw ex;
		}
	}

	private static GrantState state(boolean held) {
		return held ? GrantState.HELD : GrantState.LOST;
	}

}

package io.idempotent.lock.redisson;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static io.idempotent.lock.redisson.RedisScripts.inBytes;

/**
 * A lock as a writer sees it, whose keys are those of Redisson's own lock.
 */
final class ExclusiveRedisLock extends RedisLock {

	ExclusiveRedisLock(LockClient redis, String name, boolean fair) {
		super(redis, name, fair);
	}

	@Override
	CompletableFuture<List<Long>> take(Duration lease, boolean waits) {
		LockKeys lock = keys();
		if (isFair()) {
			return scripts().grant(lock, LockScripts.TAKE_IN_TURN,
					inBytes(lock.key(), lock.token(), lock.queue(), lock.timeouts()), owner(), millis(lease),
					waits ? PLACE.toMillis() : 0);
		}
		return scripts().grant(lock, LockScripts.TAKE, inBytes(lock.key(), lock.token(), lock.waitingWriters()),
				owner(), millis(lease), waits ? INTENT.toMillis() : 0);
	}

	/**
	 * Takes the lock over from its owner.
	 * @param former the current owner
	 * @param lease the lease of the new grant
	 * @return the token, or zero if nothing was changed: the owner did not have the lock,
	 * or readers wait
	 */
	CompletableFuture<List<Long>> takeFrom(RedisLock former, Duration lease) {
		LockKeys lock = keys();
		return scripts().grant(lock, LockScripts.HAND_OFF, inBytes(lock.key(), lock.token(), lock.waitingReaders()),
				owner(), millis(lease), former.owner());
	}

	@Override
	CompletableFuture<Boolean> renew(Duration lease) {
		LockKeys lock = keys();
		return scripts().run(lock, LockScripts.RENEW, inBytes(lock.key()), owner(), millis(lease));
	}

	@Override
	CompletableFuture<Boolean> release(Duration keepFor) {
		LockKeys lock = keys();
		String script = isFair() ? LockScripts.RELEASE_IN_TURN : LockScripts.RELEASE;
		List<Object> keys = isFair()
				? inBytes(lock.key(), lock.channel(), lock.readers(), lock.waitingReaders(), lock.queue(),
						lock.timeouts())
				: inBytes(lock.key(), lock.channel(), lock.readers(), lock.waitingReaders(), lock.waitingWriters());
		return publishCommand()
			.thenCompose((publish) -> scripts().run(lock, script, keys, owner(), millisOrZero(keepFor), publish));
	}

	/**
	 * For a fair lock each waiting owner has its own channel.
	 */
	@Override
	String channel() {
		return isFair() ? keys().channel() + ":" + owner() : keys().channel();
	}

	/**
	 * The same lock as another owner sees it.
	 */
	ExclusiveRedisLock forAnotherOwner() {
		return new ExclusiveRedisLock(redis(), name(), isFair());
	}

	/**
	 * The same lock as a reader sees it.
	 */
	SharedRedisLock forReader() {
		return new SharedRedisLock(redis(), name(), isFair());
	}

}

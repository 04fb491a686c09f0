package io.idempotent.lock.redisson;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static io.idempotent.lock.redisson.RedisScripts.inBytes;

/**
 * A lock as a reader sees it. Readers are not ordered among themselves, even if the lock
 * is fair.
 */
final class SharedRedisLock extends RedisLock {

	SharedRedisLock(LockClient redis, String name, boolean fair) {
		super(redis, name, fair);
	}

	@Override
	CompletableFuture<List<Long>> take(Duration lease, boolean waits) {
		LockKeys lock = keys();
		// Writers that wait for a fair lock have places in its queue.
		String writers = isFair() ? lock.timeouts() : lock.waitingWriters();
		return scripts().grant(lock, SharedLockScripts.TAKE,
				inBytes(lock.key(), lock.readers(), lock.waitingReaders(), writers), owner(), millis(lease),
				waits ? INTENT.toMillis() : 0);
	}

	/**
	 * Takes the lock over from its writer.
	 * @param writer the current owner
	 * @param lease the lease of the new grant
	 * @return a positive number, or zero if the writer did not have the lock
	 */
	CompletableFuture<List<Long>> takeFrom(RedisLock writer, Duration lease) {
		LockKeys lock = keys();
		return publishCommand().thenCompose((publish) -> scripts().grant(lock, SharedLockScripts.DOWNGRADE,
				inBytes(lock.key(), lock.channel(), lock.readers(), lock.waitingReaders()), owner(), millis(lease),
				publish, writer.owner()));
	}

	@Override
	CompletableFuture<Boolean> renew(Duration lease) {
		LockKeys lock = keys();
		return scripts().run(lock, SharedLockScripts.RENEW, inBytes(lock.key(), lock.readers()), owner(),
				millis(lease));
	}

	@Override
	CompletableFuture<Boolean> release(Duration keepFor) {
		LockKeys lock = keys();
		String script = isFair() ? SharedLockScripts.RELEASE_BEFORE_QUEUE : SharedLockScripts.RELEASE;
		List<Object> keys = isFair() ? inBytes(lock.key(), lock.channel(), lock.readers(), lock.waitingReaders(),
				lock.queue(), lock.timeouts())
				: inBytes(lock.key(), lock.channel(), lock.readers(), lock.waitingReaders());
		return publishCommand()
			.thenCompose((publish) -> scripts().run(lock, script, keys, owner(), millisOrZero(keepFor), publish));
	}

	@Override
	String channel() {
		return keys().channel();
	}

}

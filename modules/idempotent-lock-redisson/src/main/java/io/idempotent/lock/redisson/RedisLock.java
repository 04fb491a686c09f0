package io.idempotent.lock.redisson;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

import static io.idempotent.lock.redisson.RedisScripts.bytes;

/**
 * A lock in Redis as one owner sees it: each method runs one script, which is sent once.
 * For Redisson the owner is a thread of this client, with a negative id that no thread
 * has.
 */
final class RedisLock {

	/**
	 * How long a waiting owner keeps its place without asking again: several times the
	 * interval at which it asks.
	 */
	private static final Duration PLACE = Duration.ofSeconds(30);

	private final LockClient redis;

	private final String name;

	private final boolean fair;

	private final String owner;

	private volatile @Nullable LockKeys keys;

	RedisLock(LockClient redis, String name, boolean fair) {
		this.redis = redis;
		this.name = name;
		this.fair = fair;
		this.owner = redis.client().getId() + ":" + (ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
	}

	/**
	 * Tries to take the lock.
	 * @param lease the lease of a grant
	 * @param queue whether a fair lock keeps a place for this owner
	 * @return the token and zero, or zero and how many milliseconds the lock stays taken
	 */
	CompletableFuture<List<Long>> take(Duration lease, boolean queue) {
		RedisScripts scripts = this.redis.scripts();
		return this.fair
				? scripts.grant(keys(), LockScripts.TAKE_IN_TURN, takeKeys(), this.owner, millis(lease),
						queue ? PLACE.toMillis() : 0)
				: scripts.grant(keys(), LockScripts.TAKE, takeKeys(), this.owner, millis(lease));
	}

	/**
	 * Takes the lock over from its owner.
	 * @param owner the current owner
	 * @param lease the lease of the new grant
	 * @return the token, or zero if the owner did not have the lock
	 */
	CompletableFuture<List<Long>> takeFrom(RedisLock owner, Duration lease) {
		return this.redis.scripts()
			.grant(keys(), LockScripts.HAND_OFF, takeKeys(), this.owner, millis(lease), owner.owner);
	}

	/**
	 * Restarts the lease.
	 * @param lease the lease from now
	 * @return whether this owner had the lock
	 */
	CompletableFuture<Boolean> renew(Duration lease) {
		LockKeys lock = keys();
		return this.redis.scripts().run(lock, LockScripts.RENEW, List.of(bytes(lock.key())), this.owner, millis(lease));
	}

	/**
	 * Releases the lock, or gives up the owner's place in the queue.
	 * @param keepFor how long the lock stays taken nevertheless
	 * @return whether this owner had the lock
	 */
	CompletableFuture<Boolean> release(Duration keepFor) {
		LockKeys lock = keys();
		String script = this.fair ? LockScripts.RELEASE_IN_TURN : LockScripts.RELEASE;
		return this.redis.topics()
			.publishCommand(lock)
			.thenCompose((publish) -> this.redis.scripts()
				.run(lock, script, releaseKeys(), this.owner, keepFor.isZero() ? 0 : millis(keepFor), publish));
	}

	/**
	 * Subscribes to the releases of the lock. For a fair lock each waiting owner has its
	 * own channel.
	 * @return the subscription, which may not be established yet
	 */
	ReleaseSubscription subscribe() {
		LockKeys lock = keys();
		String channel = this.fair ? lock.channel() + ":" + this.owner : lock.channel();
		return new ReleaseSubscription(channel, this.redis.topics().topic(lock, channel));
	}

	boolean isFair() {
		return this.fair;
	}

	/**
	 * The same lock as another owner sees it.
	 * @return the lock
	 */
	RedisLock forAnotherOwner() {
		return new RedisLock(this.redis, this.name, this.fair);
	}

	@Override
	public String toString() {
		return "the lock '" + this.name + "'";
	}

	private List<Object> takeKeys() {
		LockKeys lock = keys();
		return this.fair ? List.of(bytes(lock.key()), bytes(lock.token()), bytes(lock.queue()), bytes(lock.timeouts()))
				: List.of(bytes(lock.key()), bytes(lock.token()));
	}

	private List<Object> releaseKeys() {
		LockKeys lock = keys();
		return this.fair
				? List.of(bytes(lock.key()), bytes(lock.channel()), bytes(lock.queue()), bytes(lock.timeouts()))
				: List.of(bytes(lock.key()), bytes(lock.channel()));
	}

	/**
	 * Not before the first call, since the client may connect meanwhile.
	 */
	private LockKeys keys() {
		LockKeys keys = this.keys;
		if (keys == null) {
			keys = LockKeys.of(this.redis.client(), this.name);
			this.keys = keys;
		}
		return keys;
	}

	private static long millis(Duration time) {
		return Math.max(1, time.toMillis());
	}

}

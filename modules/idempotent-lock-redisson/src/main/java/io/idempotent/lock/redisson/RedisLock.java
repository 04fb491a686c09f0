package io.idempotent.lock.redisson;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.idempotent.lock.LockUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A lock in Redis as one owner sees it: each method runs one script, which is sent once.
 * For Redisson the owner is a thread of this client, with a negative id that no thread
 * has.
 */
abstract class RedisLock {

	private static final Log logger = LogFactory.getLog(RedisLock.class);

	/**
	 * How long a waiting owner keeps its place without a new request: several times its
	 * polling interval.
	 */
	static final Duration PLACE = Duration.ofSeconds(30);

	/**
	 * How long an owner that waits without a place counts without a new request: twice
	 * its polling interval.
	 */
	static final Duration INTENT = Duration.ofSeconds(10);

	private final LockClient redis;

	private final String name;

	private final boolean fair;

	private final String owner;

	private volatile @Nullable LockKeys keys;

	RedisLock(LockClient redis, String name, boolean fair) {
		this.redis = redis;
		this.name = name;
		this.fair = fair;
		this.owner = redis.owners().next();
	}

	/**
	 * Tries to take the lock.
	 * @param lease the lease of a grant
	 * @param waits whether this owner is going to wait if the lock is taken
	 * @return the token, or another positive number for a shared lock, and zero; or zero
	 * and how many milliseconds the lock stays taken
	 */
	abstract CompletableFuture<List<Long>> take(Duration lease, boolean waits);

	/**
	 * Restarts the lease.
	 * @param lease the lease from now
	 * @return whether this owner had the lock
	 */
	abstract CompletableFuture<Boolean> renew(Duration lease);

	/**
	 * Releases the lock, or ends the wait of this owner.
	 * @param keepFor how long the lock stays taken nevertheless
	 * @return whether this owner had the lock
	 */
	abstract CompletableFuture<Boolean> release(Duration keepFor);

	/**
	 * The channel on which this owner is woken.
	 * @return the name of the channel
	 */
	abstract String channel();

	/**
	 * Subscribes to the releases of the lock.
	 * @return the subscription, which may not be established yet
	 */
	ReleaseSubscription subscribe() {
		String channel = channel();
		return new ReleaseSubscription(channel, this.redis.topics().topic(keys(), channel));
	}

	LockClient redis() {
		return this.redis;
	}

	RedisScripts scripts() {
		return this.redis.scripts();
	}

	CompletableFuture<String> publishCommand() {
		return this.redis.topics().publishCommand(keys());
	}

	String name() {
		return this.name;
	}

	String owner() {
		return this.owner;
	}

	boolean isFair() {
		return this.fair;
	}

	/**
	 * Created with the first call, since the client may connect meanwhile.
	 */
	LockKeys keys() {
		LockKeys keys = this.keys;
		if (keys == null) {
			keys = LockKeys.of(this.redis.client(), this.name);
			this.keys = keys;
		}
		return keys;
	}

	/**
	 * Gives back a grant whose reply was not received, or the place in a queue, without
	 * waiting. If this fails, the grant ends with its lease.
	 */
	void giveBack() {
		try {
			CompletableFuture<?> unused = release(Duration.ZERO).whenComplete((held, failure) -> {
				if (failure != null) {
					logger.debug("Could not give back " + this + "; it ends with its lease", failure);
				}
			});
		}
		catch (RuntimeException ex) {
			logger.debug("Could not give back " + this + "; it ends with its lease", ex);
		}
	}

	/**
	 * Creates the exception for a key that has the name of this lock and is none.
	 * @param failure the reply of Redis, if it refused the key
	 */
	LockUnavailableException foreignKey(@Nullable Throwable failure) {
		return new LockUnavailableException("The lock engine 'redisson' cannot use " + this + ": Redis has a key of"
				+ " this name that is no lock (it has another type, or no time to live). Rename or delete that key, or"
				+ " keep the names of locks apart from those of data with idempotent.lock.namespace or"
				+ " idempotent.lock.redisson.key-prefix", failure);
	}

	@Override
	public String toString() {
		return "the lock '" + this.name + "'";
	}

	static long millis(Duration time) {
		return Math.max(1, time.toMillis());
	}

	static long millisOrZero(Duration time) {
		return time.isZero() ? 0 : millis(time);
	}

}

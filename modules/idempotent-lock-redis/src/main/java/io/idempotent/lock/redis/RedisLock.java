package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A lock in Redis as one owner sees it: each method runs one script, which is sent once.
 * Keys and channel are those of Redisson's own lock of the same name, beside the keys of
 * readers. Readers are not ordered among themselves, even if the lock is fair.
 */
final class RedisLock {

	private static final Log logger = LogFactory.getLog(RedisLock.class);

	/** How long a waiting owner keeps its place: several polling intervals. */
	private static final Duration PLACE = Duration.ofSeconds(30);

	/** How long a waiting owner without a place counts: twice its polling interval. */
	private static final Duration INTENT = Duration.ofSeconds(10);

	private final LockClient client;

	private final String name;

	private final boolean fair;

	private final boolean shared;

	private final String owner;

	private volatile @Nullable String key;

	/** Whether readers may see this owner waiting. */
	private volatile boolean announced;

	private RedisLock(LockClient client, String name, boolean fair, boolean shared) {
		this.client = client;
		this.name = name;
		this.fair = fair;
		this.shared = shared;
		this.owner = client.nextOwner();
	}

	static RedisLock requested(LockClient client, LockRequest request) {
		return new RedisLock(client, request.name(), request.fair(), request.mode() == LockMode.READ);
	}

	/** To ask about a lock, whoever holds it and in whatever mode. */
	static RedisLock named(LockClient client, String name) {
		return new RedisLock(client, name, false, false);
	}

	LockClient client() {
		return this.client;
	}

	private LockTransport transport() {
		return this.client.transport();
	}

	boolean isFair() {
		return this.fair;
	}

	boolean isShared() {
		return this.shared;
	}

	RedisLock forAnotherOwner() {
		return new RedisLock(this.client, this.name, this.fair, this.shared);
	}

	/** The name without what a mapper of Redisson adds. */
	String name() {
		return this.name;
	}

	/** Found with the first call, since the client may connect meanwhile. */
	String key() {
		String known = this.key;
		if (known == null) {
			known = transport().key(this.name);
			this.key = known;
		}
		return known;
	}

	String channel() {
		return prefixed("redisson_lock__channel");
	}

	String token() {
		return prefixed("redisson_lock_token");
	}

	String queue() {
		return prefixed("redisson_lock_queue");
	}

	String timeouts() {
		return prefixed("redisson_lock_timeout");
	}

	/**
	 * The readers that hold the lock, or whose turn it is, by the end of their leases or
	 * turns. Unless it is empty, the key of the lock has the field {@code readers}, so
	 * that Redisson's own locks see the readers.
	 */
	String readers() {
		return prefixed("redisson_lock_readers");
	}

	/** The readers that wait, by the time until which they count. */
	String waitingReaders() {
		return prefixed("redisson_lock_waiting_readers");
	}

	/** The writers that wait without a place, by the time until which they count. */
	String waitingWriters() {
		return prefixed("redisson_lock_waiting_writers");
	}

	/** All keys have the same hash tag, so a Redis Cluster keeps them together. */
	private String prefixed(String prefix) {
		return key().contains("{") ? prefix + ":" + key() : prefix + ":{" + key() + "}";
	}

	/**
	 * Returns the token, or another positive number for a shared lock; or -2 minus how
	 * many milliseconds the lock stays taken.
	 */
	CompletableFuture<Long> take(Duration lease, boolean waits) {
		if (this.shared) {
			// Writers that wait for a fair lock have places in its queue.
			String writers = this.fair ? timeouts() : waitingWriters();
			return grant(SharedLockScripts.TAKE, List.of(key(), readers(), waitingReaders(), writers), lease,
					waits ? INTENT.toMillis() : 0);
		}
		if (this.fair) {
			return grant(LockScripts.TAKE_IN_TURN, List.of(key(), token(), queue(), timeouts()), lease,
					waits ? PLACE.toMillis() : 0);
		}
		int announced = this.announced ? 1 : 0;
		this.announced = waits;
		return transport().grant(this, LockScripts.TAKE, List.of(key(), token(), waitingWriters()), this.owner,
				millis(lease), waits ? INTENT.toMillis() : 0, announced);
	}

	private CompletableFuture<Long> grant(String script, List<String> keys, Duration lease, Object argument) {
		return transport().grant(this, script, keys, this.owner, millis(lease), argument);
	}

	/** Only if no readers wait. Returns the token, or zero if nothing was changed. */
	CompletableFuture<Long> takeFrom(RedisLock writer, Duration lease) {
		return grant(LockScripts.HAND_OFF, List.of(key(), token(), waitingReaders()), lease, writer.owner);
	}

	/** Returns whether this owner had the lock. */
	CompletableFuture<Boolean> renew(Duration lease) {
		return this.shared ? run(SharedLockScripts.RENEW, List.of(key(), readers()), millis(lease))
				: run(LockScripts.RENEW, List.of(key()), millis(lease));
	}

	/** Returns whether this owner had the lock; if not, ends its wait. */
	CompletableFuture<Boolean> release(Duration stayLocked) {
		if (this.fair) {
			return release(this.shared ? SharedLockScripts.RELEASE_BEFORE_QUEUE : LockScripts.RELEASE_IN_TURN,
					List.of(key(), channel(), readers(), waitingReaders(), queue(), timeouts()), stayLocked);
		}
		return this.shared
				? release(SharedLockScripts.RELEASE, List.of(key(), channel(), readers(), waitingReaders()), stayLocked)
				: release(LockScripts.RELEASE, List.of(key(), channel(), readers(), waitingReaders(), waitingWriters()),
						stayLocked);
	}

	private CompletableFuture<Boolean> release(String script, List<String> keys, Duration stayLocked) {
		long keptMillis = stayLocked.isZero() ? 0 : millis(stayLocked);
		return publishCommand().thenCompose((publish) -> run(script, keys, keptMillis, publish));
	}

	private CompletableFuture<Boolean> run(String script, List<String> keys, Object... arguments) {
		Object[] all = new Object[arguments.length + 1];
		all[0] = this.owner;
		System.arraycopy(arguments, 0, all, 1, arguments.length);
		return transport().number(this, script, keys, all).thenApply((reply) -> reply > 0);
	}

	CompletableFuture<String> publishCommand() {
		return transport().sharded(channel()).thenApply((sharded) -> sharded ? "SPUBLISH" : "PUBLISH");
	}

	/** Does not wait. Each writer that waits for a fair lock has its own channel. */
	ReleaseSubscription subscribe() {
		String channel = channel();
		String own = (this.fair && !this.shared) ? channel + ":" + this.owner : channel;
		return new ReleaseSubscription(this.client, own);
	}

	/** Does not wait. If this fails, the grant ends with its lease. */
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

	/** For a key that has the name of this lock and is no lock. */
	LockUnavailableException foreignKey(@Nullable Throwable failure) {
		return new LockUnavailableException("The lock engine '" + transport().engine() + "' cannot use " + this
				+ ": Redis has a key of this name that is no lock (it has another type, or no time to live). Rename or delete that key, or"
				+ " keep the names of locks apart from those of data with idempotent.lock.namespace", failure);
	}

	@Override
	public String toString() {
		return "the lock '" + this.name + "'";
	}

	/** Rounded up, so that Redis does not end a lease before this JVM does. */
	private static long millis(Duration time) {
		return Math.max(1, time.plusNanos(999_999).toMillis());
	}

}

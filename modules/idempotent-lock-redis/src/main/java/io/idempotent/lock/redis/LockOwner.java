package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * An owner of a lock in Redis, or one that wants to be: each method runs one script,
 * which is sent once. Readers are not ordered among themselves, even if the lock is fair.
 */
final class LockOwner {

	private static final Log logger = LogFactory.getLog(LockOwner.class);

	/** How long a waiting owner keeps its place: several polling intervals. */
	private static final Duration PLACE = Duration.ofSeconds(30);

	/** How long a waiting owner without a place counts: twice its polling interval. */
	private static final Duration INTENT = Duration.ofSeconds(10);

	/** Before the first repetition, in seconds. */
	private static final int FIRST_PAUSE = 1;

	private static final int LONGEST_PAUSE = 8;

	private final LockClient client;

	private final String name;

	private final boolean fair;

	private final boolean shared;

	private final String id;

	private volatile @Nullable LockKeys keys;

	/** Whether readers may see this owner waiting. */
	private volatile boolean announced;

	private LockOwner(LockClient client, String name, boolean fair, boolean shared) {
		this.client = client;
		this.name = name;
		this.fair = fair;
		this.shared = shared;
		this.id = client.nextOwner();
	}

	static LockOwner of(LockClient client, LockRequest request) {
		return new LockOwner(client, request.name(), request.fair(), request.mode() == LockMode.READ);
	}

	/** Another owner of the same lock. */
	LockOwner successor() {
		return new LockOwner(this.client, this.name, this.fair, this.shared);
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

	/** Found with the first call, since the client may connect meanwhile. */
	private LockKeys keys() {
		LockKeys known = this.keys;
		if (known == null) {
			known = this.client.keys(this.name);
			this.keys = known;
		}
		return known;
	}

	/**
	 * Returns the token, or another positive number for a shared lock; or -2 minus how
	 * many milliseconds the lock stays taken.
	 */
	CompletableFuture<Long> take(Duration lease, boolean waits) {
		LockKeys keys = keys();
		if (this.shared) {
			// Writers that wait for a fair lock have places in its queue.
			String writers = this.fair ? keys.timeouts() : keys.waitingWriters();
			return grant(SharedLockScripts.TAKE, List.of(keys.lock(), keys.readers(), keys.waitingReaders(), writers),
					lease, waits ? INTENT.toMillis() : 0);
		}
		if (this.fair) {
			return grant(LockScripts.TAKE_IN_TURN, List.of(keys.lock(), keys.token(), keys.queue(), keys.timeouts()),
					lease, waits ? PLACE.toMillis() : 0);
		}
		int announced = this.announced ? 1 : 0;
		this.announced = waits;
		return transport().grant(this.name, LockScripts.TAKE, List.of(keys.lock(), keys.token(), keys.waitingWriters()),
				this.id, millis(lease), waits ? INTENT.toMillis() : 0, announced);
	}

	private CompletableFuture<Long> grant(String script, List<String> keys, Duration lease, Object argument) {
		return transport().grant(this.name, script, keys, this.id, millis(lease), argument);
	}

	/** Only if no readers wait. Returns the token, or zero if nothing was changed. */
	CompletableFuture<Long> takeFrom(LockOwner writer, Duration lease) {
		LockKeys keys = keys();
		return grant(LockScripts.HAND_OFF, List.of(keys.lock(), keys.token(), keys.waitingReaders()), lease, writer.id);
	}

	/** Returns whether this owner had the lock. */
	CompletableFuture<Boolean> renew(Duration lease) {
		return this.shared
				? run(SharedLockScripts.RENEW, List.of(keys().lock(), keys().readers()), this.id, millis(lease))
				: run(LockScripts.RENEW, List.of(keys().lock()), this.id, millis(lease));
	}

	/** Returns whether this owner had the lock; if not, ends its wait. */
	CompletableFuture<Boolean> release(Duration stayLocked) {
		LockKeys keys = keys();
		if (this.fair) {
			return release(this.shared ? SharedLockScripts.RELEASE_BEFORE_QUEUE : LockScripts.RELEASE_IN_TURN,
					stayLocked, keys.lock(), keys.channel(), keys.readers(), keys.waitingReaders(), keys.queue(),
					keys.timeouts());
		}
		return this.shared
				? release(SharedLockScripts.RELEASE, stayLocked, keys.lock(), keys.channel(), keys.readers(),
						keys.waitingReaders())
				: release(LockScripts.RELEASE, stayLocked, keys.lock(), keys.channel(), keys.readers(),
						keys.waitingReaders(), keys.waitingWriters());
	}

	private CompletableFuture<Boolean> release(String script, Duration stayLocked, String... keys) {
		long keptMillis = stayLocked.isZero() ? 0 : millis(stayLocked);
		return this.client.publishCommand(keys())
			.thenCompose((publish) -> run(script, List.of(keys), this.id, keptMillis, publish));
	}

	private CompletableFuture<Boolean> run(String script, List<String> keys, Object... arguments) {
		return transport().number(this.name, script, keys, arguments).thenApply((reply) -> reply > 0);
	}

	/** Does not wait. Each writer that waits for a fair lock has its own channel. */
	ReleaseSubscription subscribe() {
		String channel = keys().channel();
		String own = (this.fair && !this.shared) ? channel + ":" + this.id : channel;
		return new ReleaseSubscription(this.client, own);
	}

	/**
	 * Does not wait. If it fails, it is repeated after pauses that double, until the
	 * lease has ended.
	 */
	void giveBack(Duration lease) {
		giveBack(System.nanoTime() + lease.toNanos(), FIRST_PAUSE);
	}

	private void giveBack(long leaseEnd, int pause) {
		try {
			CompletableFuture<?> unused = release(Duration.ZERO).whenComplete((held, failure) -> {
				if (failure != null) {
					giveBackLater(leaseEnd, pause, failure);
				}
			});
		}
		catch (RuntimeException ex) {
			giveBackLater(leaseEnd, pause, ex);
		}
	}

	private void giveBackLater(long leaseEnd, int pause, Throwable failure) {
		boolean repeats = leaseEnd - System.nanoTime() > TimeUnit.SECONDS.toNanos(pause)
				&& this.client.repeat(() -> giveBack(leaseEnd, Math.min(2 * pause, LONGEST_PAUSE)), pause);
		logger.debug("Could not give back " + this + (repeats ? "; this is repeated" : "; it ends with its lease"),
				failure);
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

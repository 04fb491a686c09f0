package io.idempotent.lock.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Contends for a lock in Redis as one owner: takes it at once, or when it is released.
 */
record LockContender(LockOwner owner, LockRequest request, InterruptibleWait waiting) {

	private static final long TAKEN = -2;

	/** The time to live of a key without one, as PTTL returns it. */
	private static final long NO_TIME_TO_LIVE = -1;

	private static final long RETRY_INTERVAL = TimeUnit.SECONDS.toNanos(5);

	private static final long RETRY_INTERVAL_WITHOUT_SUBSCRIPTION = TimeUnit.MILLISECONDS.toNanos(500);

	private static final long RECONNECT_TIME = TimeUnit.SECONDS.toNanos(1);

	private static final long RECONNECT_INTERVAL = TimeUnit.MILLISECONDS.toNanos(200);

	/** The end is by {@link System#nanoTime()}; null if another holder had the lock. */
	@Nullable LockGrant acquire(boolean mayWait, long end) throws InterruptedException {
		long reply = take(mayWait);
		if (mayWait && !isGrant(reply)) {
			reply = takeWhenReleased(end);
		}
		return isGrant(reply) ? RedisGrant.of(this.owner, reply, this.request.lease()) : null;
	}

	private long takeWhenReleased(long end) throws InterruptedException {
		boolean granted = false;
		try (ReleaseSubscription releases = this.owner.client()
			.attempt(this.owner::subscribe, "wait for " + this.owner)) {
			long reply = TAKEN;
			long left = end - System.nanoTime();
			// At once after the subscription, which the release may have preceded.
			boolean retry = releases.begin(left, this.waiting);
			while (retry) {
				reply = take(true);
				left = end - System.nanoTime();
				retry = !isGrant(reply) && left > 0;
				if (retry) {
					releases.await(Math.min(left, untilRetry(reply, releases.isActive())), this.waiting);
				}
			}
			granted = isGrant(reply);
			return reply;
		}
		finally {
			if (!granted) {
				this.owner.giveBack();
			}
		}
	}

	private long take(boolean mayWait) throws InterruptedException {
		long start = System.nanoTime();
		while (true) {
			try {
				return requireLease(takeOnce(mayWait));
			}
			catch (LockUnavailableException ex) {
				if (LockClient.isWrongType(ex)) {
					throw this.owner.client().foreignKey(this.request.name(), ex);
				}
				if (Thread.currentThread().isInterrupted() || !this.owner.client().didNotRun(ex)
						|| System.nanoTime() - start >= RECONNECT_TIME) {
					throw ex;
				}
				this.waiting.pause(RECONNECT_INTERVAL);
			}
		}
	}

	/**
	 * If the reply is not received, a grant must not remain: it is given back as soon as
	 * the reply has arrived or can no longer arrive.
	 */
	private long takeOnce(boolean mayWait) throws InterruptedException {
		String what = "take " + this.owner;
		CompletableFuture<Long> reply = this.owner.client()
			.send(() -> this.owner.take(this.request.lease(), mayWait), what);
		try {
			return this.owner.client().await(reply, what, this.waiting);
		}
		catch (InterruptedException ex) {
			giveBackAfter(reply);
			throw ex;
		}
		catch (LockUnavailableException ex) {
			if (!this.owner.client().didNotRun(ex)) {
				giveBackAfter(reply);
			}
			throw ex;
		}
	}

	private void giveBackAfter(CompletableFuture<?> reply) {
		CompletableFuture<?> unused = reply.whenComplete((result, failure) -> this.owner.giveBack());
	}

	/** Every lock has a lease. A hash without a time to live is other data. */
	private long requireLease(long reply) {
		if (!isGrant(reply) && millisLeft(reply) == NO_TIME_TO_LIVE) {
			this.owner.giveBack();
			throw this.owner.client().foreignKey(this.request.name(), null);
		}
		return reply;
	}

	private static boolean isGrant(long reply) {
		return reply > 0;
	}

	private static long millisLeft(long refusal) {
		return -2 - refusal;
	}

	private static long untilRetry(long reply, boolean subscribed) {
		long interval = subscribed ? RETRY_INTERVAL : RETRY_INTERVAL_WITHOUT_SUBSCRIPTION;
		long millis = millisLeft(reply);
		// Negative if the lock is free, but another owner is first in the queue.
		return (millis < 0) ? interval : Math.min(interval, TimeUnit.MILLISECONDS.toNanos(millis + 1));
	}

}

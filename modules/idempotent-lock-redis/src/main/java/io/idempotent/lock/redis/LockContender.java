package io.idempotent.lock.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Contends for a lock in Redis as one owner: takes it at once, or when it is released. If
 * the reply to a take is lost, the owner may hold the lock without knowing. If it waits,
 * it takes the lock again, which returns the same token to a holder; otherwise, and in
 * the end, it gives back what it may hold.
 */
final class LockContender {

	private static final long TAKEN = -2;

	/** The time to live of a key without one, as PTTL returns it. */
	private static final long NO_TIME_TO_LIVE = -1;

	private static final long RETRY_INTERVAL = TimeUnit.SECONDS.toNanos(5);

	private static final long RETRY_INTERVAL_WITHOUT_SUBSCRIPTION = TimeUnit.MILLISECONDS.toNanos(500);

	private static final long RECONNECT_TIME = TimeUnit.SECONDS.toNanos(1);

	private static final long RECONNECT_INTERVAL = TimeUnit.MILLISECONDS.toNanos(200);

	private final LockOwner owner;

	private final LockRequest request;

	private final InterruptibleWait waiting;

	private final boolean mayWait;

	/** By {@link System#nanoTime()}. */
	private final long end;

	/** The last take, if Redis may know the owner by it: as waiting, or as the holder. */
	private @Nullable CompletableFuture<Long> unsettled;

	LockContender(LockOwner owner, LockRequest request, InterruptibleWait waiting, boolean mayWait, long end) {
		this.owner = owner;
		this.request = request;
		this.waiting = waiting;
		this.mayWait = mayWait;
		this.end = end;
	}

	/** Returns null if another holder had the lock. */
	@Nullable LockGrant acquire() throws InterruptedException {
		long reply = TAKEN;
		try {
			reply = take();
			if (this.mayWait && !isGrant(reply)) {
				reply = takeWhenReleased();
			}
			return isGrant(reply) ? RedisGrant.of(this.owner, reply, this.request.lease()) : null;
		}
		finally {
			if (!isGrant(reply) && this.unsettled != null) {
				CompletableFuture<?> unused = this.unsettled
					.whenComplete((result, failure) -> this.owner.giveBack(this.request.lease()));
			}
		}
	}

	private long takeWhenReleased() throws InterruptedException {
		try (ReleaseSubscription releases = this.owner.client()
			.attempt(this.owner::subscribe, "wait for " + this.owner)) {
			long reply = TAKEN;
			long left = this.end - System.nanoTime();
			// At once after the subscription, which the release may have preceded.
			boolean retry = releases.begin(left, this.waiting);
			while (retry) {
				reply = take();
				left = this.end - System.nanoTime();
				retry = !isGrant(reply) && left > 0;
				if (retry) {
					releases.await(Math.min(left, untilRetry(reply, releases.isActive())), this.waiting);
				}
			}
			return reply;
		}
	}

	/**
	 * A take that was not carried out is repeated for a second. If the owner waits, one
	 * whose reply was lost is repeated too. The second counts from such a loss, or from
	 * the failure of the first connection: so what took longer is repeated once.
	 */
	private long take() throws InterruptedException {
		long repeatUntil = System.nanoTime() + RECONNECT_TIME;
		boolean extended = false;
		while (true) {
			try {
				return requireLease(takeOnce());
			}
			catch (LockUnavailableException ex) {
				if (LockClient.isWrongType(ex)) {
					throw this.owner.client().foreignKey(this.request.name(), ex);
				}
				long now = System.nanoTime();
				boolean inDoubt = this.mayWait && this.end - now > 0 && this.owner.client().hasLostReply(ex);
				if (!extended && (inDoubt || !this.owner.client().isConnected())) {
					extended = true;
					repeatUntil = now + RECONNECT_TIME;
				}
				if (Thread.currentThread().isInterrupted() || now - repeatUntil >= 0
						|| !(inDoubt || this.owner.client().didNotRun(ex))) {
					throw ex;
				}
				this.waiting.pause(RECONNECT_INTERVAL);
			}
		}
	}

	private long takeOnce() throws InterruptedException {
		String what = "take " + this.owner;
		CompletableFuture<Long> reply = this.owner.client()
			.send(() -> this.owner.take(this.request.lease(), this.mayWait), what);
		try {
			long result = this.owner.client().await(reply, what, this.waiting);
			this.unsettled = this.mayWait ? reply : null;
			return result;
		}
		catch (InterruptedException ex) {
			this.unsettled = reply;
			throw ex;
		}
		catch (LockUnavailableException ex) {
			if (!this.owner.client().didNotRun(ex)) {
				this.unsettled = reply;
			}
			throw ex;
		}
	}

	/** Every lock has a lease. A hash without a time to live is other data. */
	private long requireLease(long reply) {
		if (!isGrant(reply) && millisLeft(reply) == NO_TIME_TO_LIVE) {
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

package io.idempotent.engine;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.idempotent.store.ClaimResult;
import io.idempotent.store.OperationKey;
import io.idempotent.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * Where duplicates wait for a running operation to end: bounded in time by each of them,
 * and in number for all of them, so that waiting never takes the last thread.
 */
final class WaitRoom {

	/** How often a waiter looks again on its own. */
	private static final Duration POLL = Duration.ofMillis(100);

	/** The same where a wake-up is expected, and only its loss must be survived. */
	private static final Duration POLL_WITH_WAKE_UPS = Duration.ofSeconds(1);

	private final Semaphore seats;

	private final @Nullable WakeUps wakeUps;

	WaitRoom(int seats, @Nullable WakeUps wakeUps) {
		this.seats = new Semaphore(seats);
		this.wakeUps = wakeUps;
	}

	/**
	 * Waits until the key is no longer in progress, the time is up, or the thread is
	 * interrupted (the flag stays set).
	 * @param key the key
	 * @param timeout the time
	 * @param look claims again
	 * @return what the last look met, or {@code null} if there was no seat
	 */
	@Nullable ClaimResult await(OperationKey key, Duration timeout, Supplier<ClaimResult> look) {
		if (!this.seats.tryAcquire()) {
			return null;
		}
		try {
			return await(key, System.nanoTime() + timeout.toNanos(), look);
		}
		finally {
			this.seats.release();
		}
	}

	private ClaimResult await(OperationKey key, long deadline, Supplier<ClaimResult> look) {
		Semaphore ended = new Semaphore(0);
		WakeUps.Subscription subscription = (this.wakeUps != null) ? this.wakeUps.subscribe(key, ended::release) : null;
		try {
			return lookUntil(deadline, ended, look);
		}
		finally {
			if (subscription != null) {
				subscription.close();
			}
		}
	}

	private ClaimResult lookUntil(long deadline, Semaphore ended, Supplier<ClaimResult> look) {
		while (true) {
			ended.drainPermits();
			ClaimResult result = look.get();
			long left = deadline - System.nanoTime();
			if (!(result instanceof ClaimResult.InProgress inProgress) || left <= 0
					|| !nap(ended, Math.min(left, longestNap(inProgress)))) {
				return result;
			}
		}
	}

	private long longestNap(ClaimResult.InProgress inProgress) {
		Duration poll = (this.wakeUps != null) ? POLL_WITH_WAKE_UPS : POLL;
		return Math.min(poll.toNanos(), Math.max(inProgress.leaseLeft().toNanos(), TimeUnit.MILLISECONDS.toNanos(1)));
	}

	private static boolean nap(Semaphore ended, long nanos) {
		try {
			// Whether woken or timed out, the next look tells.
			boolean ignored = ended.tryAcquire(nanos, TimeUnit.NANOSECONDS);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}

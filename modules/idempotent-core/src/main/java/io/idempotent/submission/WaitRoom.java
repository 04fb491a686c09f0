package io.idempotent.submission;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.idempotent.store.ClaimResult;
import io.idempotent.store.OperationKey;
import io.idempotent.store.WakeUps;
import io.idempotent.submission.claim.Claims.Answer;
import org.jspecify.annotations.Nullable;

/**
 * Lets duplicates wait for a running operation to end. The time of each wait and the
 * number of waiters are bounded, so that waiters never occupy all threads.
 */
final class WaitRoom {

	private static final Duration POLL = Duration.ofMillis(100);

	/** In case a wake-up is lost. */
	private static final Duration POLL_WITH_WAKE_UPS = Duration.ofSeconds(1);

	private static final long SHORTEST_SLEEP = TimeUnit.MILLISECONDS.toNanos(1);

	private final int size;

	private final Semaphore permits;

	private final @Nullable WakeUps wakeUps;

	WaitRoom(int permits, @Nullable WakeUps wakeUps) {
		this.size = permits;
		this.permits = new Semaphore(permits);
		this.wakeUps = wakeUps;
	}

	int waiting() {
		return this.size - this.permits.availablePermits();
	}

	/**
	 * Waits until the key is no longer in progress, the time is up, or the thread is
	 * interrupted (the flag stays set). Polls within the retention of the outcome.
	 * {@code null} if too many are waiting.
	 */
	@Nullable Answer await(OperationKey key, Duration timeout, Duration retention, Supplier<Answer> claim) {
		if (!this.permits.tryAcquire()) {
			return null;
		}
		try {
			return await(key, System.nanoTime() + timeout.toNanos(), longestSleep(retention), claim);
		}
		finally {
			this.permits.release();
		}
	}

	private Answer await(OperationKey key, long deadline, long longestSleep, Supplier<Answer> claim) {
		Semaphore ended = new Semaphore(0);
		WakeUps.Subscription subscription = (this.wakeUps != null) ? this.wakeUps.subscribe(key, ended::release) : null;
		try {
			return pollUntil(deadline, longestSleep, ended, claim);
		}
		finally {
			if (subscription != null) {
				subscription.close();
			}
		}
	}

	private static Answer pollUntil(long deadline, long longestSleep, Semaphore ended, Supplier<Answer> claim) {
		while (true) {
			ended.drainPermits();
			Answer answer = claim.get();
			long left = deadline - System.nanoTime();
			if (!(answer.result() instanceof ClaimResult.InProgress inProgress) || left <= 0
					|| !sleep(ended, Math.min(left, Math.min(longestSleep, untilLeaseEnds(inProgress))))) {
				return answer;
			}
		}
	}

	private long longestSleep(Duration retention) {
		Duration poll = (this.wakeUps != null) ? POLL_WITH_WAKE_UPS : POLL;
		Duration half = retention.dividedBy(2);
		return (half.compareTo(poll) < 0) ? Math.max(half.toNanos(), SHORTEST_SLEEP) : poll.toNanos();
	}

	private static long untilLeaseEnds(ClaimResult.InProgress inProgress) {
		return Math.max(inProgress.leaseLeft().toNanos(), SHORTEST_SLEEP);
	}

	private static boolean sleep(Semaphore ended, long nanos) {
		try {
			// The next claim shows whether it was woken or timed out.
			boolean ignored = ended.tryAcquire(nanos, TimeUnit.NANOSECONDS);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}

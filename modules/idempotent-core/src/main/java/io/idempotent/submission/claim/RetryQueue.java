package io.idempotent.submission.claim;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes to be retried, bounded by their memory. One that was taken counts until it is
 * {@link #uncount uncounted}. Safe for use by several threads.
 */
final class RetryQueue {

	/** The memory of all writes. Beyond, those without answers find room for as much. */
	private static final long MAX_BYTES = 16L * 1024 * 1024;

	/** There is no room for a withdrawal beyond: nothing ran under its claim. */
	private static final long MAX_BYTES_BEFORE_WITHDRAWAL = MAX_BYTES / 2;

	private final Queue<Retry> outcomes = new ConcurrentLinkedQueue<>();

	/** Of claims under which nothing ran: outcomes are more urgent. */
	private final Queue<Retry> withdrawals = new ConcurrentLinkedQueue<>();

	private final AtomicInteger count = new AtomicInteger();

	private final AtomicLong bytes = new AtomicLong();

	/** If the memory is full, without its answer; {@code false} if there is no room. */
	boolean offer(PendingWrite write) {
		PendingWrite fitting = (this.bytes.get() + write.size() <= MAX_BYTES) ? write : write.withoutAnswer();
		long limit = (write instanceof PendingWrite.Withdrawal) ? MAX_BYTES_BEFORE_WITHDRAWAL : 2 * MAX_BYTES;
		if (this.bytes.get() + fitting.size() > limit) {
			return false;
		}
		this.count.incrementAndGet();
		this.bytes.addAndGet(fitting.size());
		putBack(new Retry(fitting, 0));
		return true;
	}

	/** Puts one that was taken to the end again. */
	void putBack(Retry retry) {
		((retry.write() instanceof PendingWrite.Withdrawal) ? this.withdrawals : this.outcomes).add(retry);
	}

	/** One that was taken is done, or dropped, and needs no memory any more. */
	void uncount(PendingWrite write) {
		this.count.decrementAndGet();
		this.bytes.addAndGet(-write.size());
	}

	/** To take writes from, the urgent ones first. */
	List<Queue<Retry>> byUrgency() {
		return List.of(this.outcomes, this.withdrawals);
	}

	int size() {
		return this.count.get();
	}

	long bytes() {
		return this.bytes.get();
	}

	/** With how often the store failed unexpectedly, not counting outages. */
	record Retry(PendingWrite write, int failures) {
	}

}

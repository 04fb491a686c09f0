package io.idempotent.engine;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.IdempotencyEvent;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.Ownership;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The ends of claims that the store has not taken yet. A thread of their own tells them
 * again, in rounds: each round tells every end at most once, and an end that fails goes
 * to the back of the queue, so that it keeps no other one waiting for ever.
 */
final class PendingWrites implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(PendingWrites.class);

	/** What may wait for the store, answers included. */
	private static final long MAX_BYTES = 16L * 1024 * 1024;

	private static final Duration PAUSE = Duration.ofSeconds(1);

	/** So many failures in a row mean that the store as a whole is away. */
	static final int MOST_FAILURES = 100;

	/** How often an end is told to a store that fails on it: for about ten minutes. */
	static final int MOST_TRIES = 600;

	/** How many withdrawals may wait to be repeated. */
	private static final int MOST_LATER = 10_000;

	private static final Duration LONGEST_ROUND = Duration.ofSeconds(5);

	private final IdempotencyStore store;

	private final IdempotencyListeners events;

	private final Queue<PendingWrite> queue = new ConcurrentLinkedQueue<>();

	private final AtomicLong bytes = new AtomicLong();

	private final AtomicInteger later = new AtomicInteger();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private volatile boolean closed;

	private final ScheduledExecutorService teller = Executors
		.newSingleThreadScheduledExecutor(DaemonThreads.named("idempotent-pending-ends"));

	PendingWrites(IdempotencyStore store, IdempotencyListeners events) {
		this.store = store;
		this.events = events;
	}

	/**
	 * Tells an end until the store takes it. Bounded: without room an answer is given up
	 * for a tombstone, and without room for that the end is dropped.
	 * @param end the end
	 */
	void add(PendingWrite end) {
		PendingWrite fitting = (this.bytes.get() + end.size() <= MAX_BYTES) ? end : end.withoutAnswer();
		if (this.bytes.get() + fitting.size() > 2 * MAX_BYTES) {
			drop(fitting, null);
			return;
		}
		this.bytes.addAndGet(fitting.size());
		this.queue.add(fitting);
		if (this.teller.isShutdown()) {
			tellTheLast();
		}
		else if (this.scheduled.compareAndSet(false, true)) {
			scheduleRound();
		}
	}

	private void scheduleRound() {
		try {
			ScheduledFuture<?> unused = this.teller.schedule(this::round, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			tellTheLast();
		}
		catch (Throwable ex) {
			this.scheduled.set(false);
			logger.error("No thread could be started to tell the store of ended operations; the next end tries again",
					ex);
		}
	}

	private void round() {
		try {
			flush();
		}
		catch (Throwable ex) {
			logger.error("Writing the outcomes of ended operations to the store failed; they are retried", ex);
		}
		this.scheduled.set(false);
		if (!this.queue.isEmpty() && !this.teller.isShutdown() && this.scheduled.compareAndSet(false, true)) {
			scheduleRound();
		}
	}

	/**
	 * Tells each end once, until the time of a round is over or many in a row have
	 * failed.
	 */
	void flush() {
		long start = System.nanoTime();
		int failures = 0;
		for (int left = this.queue.size(); left > 0 && failures < MOST_FAILURES
				&& System.nanoTime() - start < LONGEST_ROUND.toNanos(); left--) {
			PendingWrite end = this.queue.poll();
			if (end == null) {
				return;
			}
			failures = told(end) ? 0 : failures + 1;
		}
	}

	/**
	 * Tells one end.
	 * @return whether it is settled; if not, it is back in the queue
	 */
	private boolean told(PendingWrite end) {
		boolean settled = true;
		try {
			tell(end, end.completion().applyTo(this.store, end.claim()));
		}
		catch (StoreUnavailableException ex) {
			settled = false;
			tellAgain(end);
		}
		catch (UnreadableRecordException ex) {
			drop(end, ex);
		}
		catch (RuntimeException | Error ex) {
			settled = end.failures() + 1 >= MOST_TRIES;
			if (settled) {
				drop(end, ex);
			}
			else {
				logger.debug("The store failed on the end of operation '" + end.operation() + "' (key "
						+ end.claim().key() + "), which is told again", ex);
				tellAgain(end.failedAgain());
			}
		}
		finally {
			if (settled) {
				this.bytes.addAndGet(-end.size());
			}
		}
		return settled;
	}

	private void tellAgain(PendingWrite end) {
		this.queue.add(end);
		if (this.closed) {
			dropTheRest();
		}
	}

	private void tell(PendingWrite end, Ownership ownership) {
		if (end.completion() instanceof ClaimCompletion.Withdrawn withdrawn && ownership == Ownership.LOST
				&& !withdrawn.again()) {
			withdrawAgain(end, withdrawn.request());
		}
		if (end.type() != null) {
			// A release whose reply was lost finds nothing left to release.
			boolean taken = ownership == Ownership.HELD || end.completion() instanceof ClaimCompletion.Released;
			this.events.publish(taken ? end.type() : IdempotencyEvent.Type.CLAIM_LOST, end.operation(),
					end.claim().key());
		}
	}

	/**
	 * A claim that arrives after its withdrawal would have no owner, and once its lease
	 * is over an unknown outcome of an operation that never ran. So it is looked for once
	 * more after that lease.
	 */
	private void withdrawAgain(PendingWrite end, ClaimRequest request) {
		if (this.later.incrementAndGet() > MOST_LATER) {
			this.later.decrementAndGet();
			return;
		}
		PendingWrite again = new PendingWrite(end.claim(), end.operation(),
				new ClaimCompletion.Withdrawn(request, true), null);
		try {
			ScheduledFuture<?> unused = this.teller.schedule(() -> {
				this.later.decrementAndGet();
				add(again);
			}, request.lease().toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Withdrawn claims are not checked again, because the application stops", ex);
		}
	}

	/**
	 * Tells what can be told once more, then stops.
	 */
	@Override
	public void close() {
		this.teller.shutdownNow();
		try {
			this.teller.awaitTermination(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		tellTheLast();
	}

	private void tellTheLast() {
		flush();
		this.closed = true;
		dropTheRest();
	}

	private void dropTheRest() {
		PendingWrite end;
		while ((end = this.queue.poll()) != null) {
			this.bytes.addAndGet(-end.size());
			drop(end, null);
		}
	}

	private void drop(PendingWrite end, @Nullable Throwable cause) {
		if (end.completion() instanceof ClaimCompletion.Withdrawn) {
			// Nothing ran, so that there is no outcome to lose.
			logger.debug("A claim of operation '" + end.operation() + "' (key " + end.claim().key()
					+ ") whose reply was lost could not be withdrawn; the operation did not run", cause);
			return;
		}
		logger.error("The outcome of operation '" + end.operation() + "' (key " + end.claim().key()
				+ ") could not be recorded and is dropped: for duplicates its outcome is unknown", cause);
		this.events.publish(IdempotencyEvent.Type.WRITE_DROPPED, end.operation(), end.claim().key());
	}

}

package io.idempotent.submission.claim;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.IdempotencyEvent;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.submission.claim.RetryQueue.Retry;
import io.idempotent.submission.event.IdempotencyListeners;
import io.idempotent.submission.event.WatchedStore;
import io.idempotent.support.DaemonThreads;
import io.idempotent.support.Interrupts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the writes that the store has not accepted yet. A thread of its own retries them
 * in rounds. Each round tries every write at most once; one that fails goes to the end of
 * the queue, so that it does not block the others.
 */
final class PendingWrites implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(PendingWrites.class);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	/** After this many consecutive failures the store counts as unavailable. */
	static final int MAX_FAILURES_IN_A_ROW = 100;

	/** How often a write that fails unexpectedly is retried: for about ten minutes. */
	static final int MAX_ATTEMPTS = 600;

	private static final int MAX_REPEATED_WITHDRAWALS = 10_000;

	private static final Duration MAX_ROUND = Duration.ofSeconds(5);

	private final WatchedStore store;

	private final IdempotencyListeners listeners;

	private final RetryQueue queue = new RetryQueue();

	private final AtomicBoolean started = new AtomicBoolean();

	private volatile boolean closed;

	private final ScheduledThreadPoolExecutor writer = new ScheduledThreadPoolExecutor(1,
			DaemonThreads.named("idempotent-pending-ends"));

	PendingWrites(WatchedStore store, IdempotencyListeners listeners) {
		this.store = store;
		this.listeners = listeners;
	}

	/** Retries what the store has not accepted, unless it never will. */
	void writeLater(PendingWrite write, Throwable failure) {
		if (failure instanceof UnreadableRecordException) {
			drop(write, failure);
			return;
		}
		if (failure instanceof StoreUnavailableException) {
			logger.debug("The outcome of " + write.described() + " could not be recorded and will be retried", failure);
		}
		else {
			logger.warn("The store failed to record the outcome of " + write.described()
					+ ", which is retried in the background", failure);
		}
		publish(write, IdempotencyEvent.Type.WRITE_DELAYED);
		add(write);
	}

	/**
	 * Retries a write until the store accepts it. If the memory is full, a tombstone
	 * replaces the answer, and beyond that the write is dropped. A withdrawal is dropped
	 * earlier, so that an outcome finds room.
	 */
	void add(PendingWrite write) {
		if (!this.queue.offer(write)) {
			drop(write, null);
			return;
		}
		if (this.writer.isShutdown()) {
			writeForTheLastTime();
		}
		else if (this.started.compareAndSet(false, true)) {
			startRounds();
		}
	}

	int size() {
		return this.queue.size();
	}

	long bytes() {
		return this.queue.bytes();
	}

	private void startRounds() {
		try {
			ScheduledFuture<?> unused = this.writer.scheduleWithFixedDelay(this::round, PAUSE.toMillis(),
					PAUSE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			writeForTheLastTime();
		}
		catch (Throwable ex) {
			this.started.set(false);
			logger.error(
					"No thread could be started to retry writes to the store; the next write that fails tries again",
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
	}

	/** Tries each write once, until the time is over or many in a row have failed. */
	void flush() {
		long start = System.nanoTime();
		this.queue.byUrgency().forEach((writes) -> tryEach(writes, start));
	}

	private void tryEach(Queue<Retry> queue, long start) {
		int failures = 0;
		for (int left = queue.size(); left > 0 && failures < MAX_FAILURES_IN_A_ROW
				&& System.nanoTime() - start < MAX_ROUND.toNanos(); left--) {
			Retry retry = queue.poll();
			if (retry == null) {
				return;
			}
			failures = tryWrite(retry) ? 0 : failures + 1;
		}
	}

	/** Whether the write is done or dropped; if not, it is in the queue again. */
	private boolean tryWrite(Retry retry) {
		PendingWrite write = retry.write();
		boolean done = true;
		try {
			write.applyTo(this.store);
			if (write instanceof PendingWrite.Withdrawal withdrawal && !withdrawal.again()) {
				withdrawAgain(withdrawal);
			}
		}
		catch (StoreUnavailableException ex) {
			done = false;
			requeue(retry);
		}
		catch (UnreadableRecordException ex) {
			drop(write, ex);
		}
		catch (Throwable ex) {
			done = retry.failures() + 1 >= MAX_ATTEMPTS;
			if (done) {
				drop(write, ex);
			}
			else {
				logger.debug("The store failed to record the outcome of " + write.described() + ", which is retried",
						ex);
				requeue(new Retry(write, retry.failures() + 1));
			}
		}
		finally {
			if (done) {
				this.queue.uncount(write);
			}
		}
		return done;
	}

	private void requeue(Retry retry) {
		this.queue.putBack(retry);
		if (this.closed) {
			dropAll();
		}
	}

	/**
	 * After its lease: a claim that reached the store after the first withdrawal would
	 * leave an unknown outcome of an operation that never ran.
	 */
	private void withdrawAgain(PendingWrite.Withdrawal first) {
		if (this.writer.getQueue().size() > MAX_REPEATED_WITHDRAWALS) {
			return;
		}
		PendingWrite again = new PendingWrite.Withdrawal(first.request(), first.operation(), true);
		try {
			ScheduledFuture<?> unused = this.writer.schedule(() -> add(again), first.request().lease().toNanos(),
					TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Withdrawn claims are not checked again, because the application stops", ex);
		}
	}

	/** Tries every write once more, then stops. */
	@Override
	public void close() {
		this.writer.shutdownNow();
		try {
			this.writer.awaitTermination(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		writeForTheLastTime();
	}

	private void writeForTheLastTime() {
		Interrupts.deferDuring(this::flush);
		this.closed = true;
		dropAll();
	}

	private void dropAll() {
		for (Queue<Retry> writes : this.queue.byUrgency()) {
			Retry retry;
			while ((retry = writes.poll()) != null) {
				this.queue.uncount(retry.write());
				drop(retry.write(), null);
			}
		}
	}

	private void drop(PendingWrite write, @Nullable Throwable cause) {
		if (write instanceof PendingWrite.EndedClaim ended) {
			ended.claim().stopRenewal();
			logger.error("The outcome of " + write.described()
					+ " could not be recorded and is dropped: for repeats its outcome is unknown", cause);
			publish(write, IdempotencyEvent.Type.WRITE_DROPPED);
		}
		else {
			// Nothing ran, so that no outcome is lost.
			logger.debug(
					"A claim of " + write.described() + " whose reply was lost could not be withdrawn; it did not run",
					cause);
		}
	}

	private void publish(PendingWrite write, IdempotencyEvent.Type type) {
		this.listeners.publish(type, write.operation(), write.key());
	}

}

package io.idempotent.jdbc;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Deletes expired rows of the guarded database at intervals, on one daemon thread.
 * Several nodes may do it at a time, which does no harm.
 */
public final class GuardPurge implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(GuardPurge.class);

	private final String rows;

	private final Runnable purge;

	private final ScheduledThreadPoolExecutor thread;

	/**
	 * Creates the purge, which starts after a random part of the interval.
	 * @param rows what is deleted, for the name of the thread and the log
	 * @param purge deletes it, until the thread is interrupted
	 */
	@SuppressWarnings("FutureReturnValueIgnored")
	public GuardPurge(String rows, Runnable purge, Duration interval) {
		this.rows = rows;
		this.purge = purge;
		this.thread = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("idempotent-" + rows + "-purge"));
		long millis = Math.max(1, interval.toMillis());
		this.thread.scheduleWithFixedDelay(this::run, ThreadLocalRandom.current().nextLong(millis), millis,
				TimeUnit.MILLISECONDS);
	}

	/**
	 * Deletes in batches, until one is not full or the thread is interrupted.
	 * @param size the size of a full batch
	 * @param batch deletes one, and returns how many were deleted
	 * @return how many were deleted
	 */
	public static long inBatches(int size, IntSupplier batch) {
		long deleted = 0;
		int last;
		do {
			last = batch.getAsInt();
			deleted += last;
		}
		while (last == size && !Thread.currentThread().isInterrupted());
		return deleted;
	}

	private void run() {
		try {
			this.purge.run();
		}
		catch (Throwable ex) {
			// The executor would never run it again after an exception.
			logger.warn("Expired rows (" + this.rows + ") could not be deleted; the next purge tries again", ex);
		}
	}

	/** Ends the thread. A running purge is interrupted between two batches. */
	@Override
	public void close() {
		this.thread.shutdownNow();
	}

}

package io.idempotent.jdbc.receipt;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Deletes expired receipts at intervals, on one daemon thread. With a lock, one node does
 * it at a time; without one, or while the lock engine fails, several nodes may, which
 * does no harm. Close it before the locks.
 */
public final class ReceiptPurge implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ReceiptPurge.class);

	private final ReceiptGuard guard;

	private final Supplier<? extends @Nullable Lock> lock;

	private final ScheduledThreadPoolExecutor thread;

	/**
	 * Creates the purge, which starts after a random part of the interval.
	 * @param lock supplies the lock to hold meanwhile, or {@code null} for none
	 */
	@SuppressWarnings("FutureReturnValueIgnored")
	public ReceiptPurge(ReceiptGuard guard, Duration interval, Supplier<? extends @Nullable Lock> lock) {
		this.guard = guard;
		this.lock = lock;
		this.thread = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("idempotent-receipt-purge"));
		long millis = Math.max(1, interval.toMillis());
		this.thread.scheduleWithFixedDelay(this::run, ThreadLocalRandom.current().nextLong(millis), millis,
				TimeUnit.MILLISECONDS);
	}

	private void run() {
		try {
			purge();
		}
		catch (Throwable ex) {
			// The executor would never run it again after an exception.
			logger.warn("Old receipts could not be deleted; the next purge tries again", ex);
		}
	}

	private void purge() {
		Lock held = this.lock.get();
		if (held == null) {
			this.guard.purge();
			return;
		}
		try {
			if (!held.tryLock()) {
				return;
			}
		}
		catch (RuntimeException ex) {
			// An application with receipts need not have a lock engine.
			logger.debug("Old receipts are deleted without a lock, since none could be requested", ex);
			this.guard.purge();
			return;
		}
		try {
			this.guard.purge();
		}
		finally {
			held.unlock();
		}
	}

	/** Ends the thread. A running purge is interrupted between two batches. */
	@Override
	public void close() {
		this.thread.shutdownNow();
	}

}

package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Notifies the listeners of locks. Without listeners it costs nothing.
 */
public final class LockListeners {

	private static final Log logger = LogFactory.getLog(LockListener.class);

	/** More than the locks of one node, which may all be lost at once. */
	static final int MOST_WAITING = 10_000;

	private final List<LockListener> listeners;

	private final AtomicLong dropped = new AtomicLong();

	public LockListeners(List<LockListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	public void publish(LockEvent.Type type, String name, String engine, long nanos, long token) {
		if (!this.listeners.isEmpty()) {
			publish(new LockEvent(type, name, engine, Duration.ofNanos(nanos), token));
		}
	}

	void publish(LockEvent event) {
		for (LockListener listener : this.listeners) {
			publish(listener, event);
		}
	}

	public static void publish(LockListener listener, LockEvent event) {
		try {
			listener.onEvent(event);
		}
		catch (Throwable ex) {
			// Even a LinkageError: the lock must still be released, and leases renewed.
			logger.warn("A listener failed on " + event, ex);
		}
	}

	/** Runs notifications on one thread, in their order. */
	ExecutorService notifier() {
		ThreadPoolExecutor notifier = new ThreadPoolExecutor(1, 1, 30, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(MOST_WAITING), DaemonThreads.named("idempotent-lock-events"), this::rejected);
		notifier.allowCoreThreadTimeOut(true);
		return notifier;
	}

	private void rejected(Runnable notification, ThreadPoolExecutor notifier) {
		if (notifier.isShutdown()) {
			notification.run();
			return;
		}
		long count = this.dropped.incrementAndGet();
		if (count % MOST_WAITING == 1) {
			logger.warn("A listener of locks blocks the thread 'idempotent-lock-events', on which " + MOST_WAITING
					+ " events wait. Those that follow are dropped, " + count + " so far. Find the listener in a thread"
					+ " dump, and let it return at once: slow work needs a thread of its own");
		}
	}

	/** On this thread if no other can be started, since a loss must be reported. */
	void inBackground(Executor executor, Runnable notification) {
		try {
			executor.execute(notification);
		}
		catch (Throwable ex) {
			logger.warn("Could not start a thread to notify the listeners of locks", ex);
			notification.run();
		}
	}

}

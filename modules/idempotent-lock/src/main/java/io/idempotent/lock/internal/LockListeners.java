package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Notifies the listeners of locks. Without listeners it costs nothing.
 */
public final class LockListeners {

	private static final Log logger = LogFactory.getLog(LockListener.class);

	private final List<LockListener> listeners;

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

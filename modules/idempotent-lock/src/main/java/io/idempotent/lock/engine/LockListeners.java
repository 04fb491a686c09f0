package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.List;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells the listeners; costs nothing without any.
 */
public final class LockListeners {

	private static final Log logger = LogFactory.getLog(LockListener.class);

	private final List<LockListener> listeners;

	/**
	 * Creates the events.
	 * @param listeners who is told
	 */
	public LockListeners(List<LockListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Tells all listeners.
	 * @param type what happened
	 * @param name the name of the lock
	 * @param engine the name of the engine
	 * @param nanos how long it took
	 * @param token the fencing token, or 0
	 */
	public void tell(LockEvent.Type type, String name, String engine, long nanos, long token) {
		if (!this.listeners.isEmpty()) {
			tell(new LockEvent(type, name, engine, Duration.ofNanos(nanos), token));
		}
	}

	void tell(LockEvent event) {
		for (LockListener listener : this.listeners) {
			tell(listener, event);
		}
	}

	static void tell(LockListener listener, LockEvent event) {
		try {
			listener.onEvent(event);
		}
		catch (Throwable ex) {
			// Even a LinkageError: the lock must be given back, and the sweeper go on.
			logger.warn("A listener failed on " + event, ex);
		}
	}

}

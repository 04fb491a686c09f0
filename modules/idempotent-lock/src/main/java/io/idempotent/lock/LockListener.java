package io.idempotent.lock;

/**
 * Receives the events of locks: for counters, alarms, audits. All beans of this type are
 * called.
 *
 * <p>
 * It is called on the thread that caused the event, and on a background thread for an
 * event that no thread of the application causes, such as a loss. It must be quick and
 * must not block: if 10,000 such events wait, further ones are dropped, and the log says
 * so. Its exceptions are logged and have no other effect.
 */
@FunctionalInterface
public interface LockListener {

	/** Handles an event. */
	void onEvent(LockEvent event);

}

package io.idempotent.lock;

/**
 * Hears what happens to locks: for counters, alarms, audits. Any number of beans of this
 * type are told.
 *
 * <p>
 * Called on the thread that caused the event; what no thread of the application causes,
 * such as a loss, is told on one thread of ours. It must be quick and must not block. An
 * exception is logged and goes no further.
 */
@FunctionalInterface
public interface LockListener {

	/**
	 * Something happened.
	 * @param event what
	 */
	void onEvent(LockEvent event);

}

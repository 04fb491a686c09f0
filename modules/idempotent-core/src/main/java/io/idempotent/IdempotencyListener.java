package io.idempotent;

/**
 * Hears what happens to submissions: for counters, alarms, audits. Any number of beans of
 * this type are told.
 *
 * <p>
 * Called on the thread that caused the event, a request's or the lease sweeper's, so it
 * must be quick and must not block. An exception is logged and goes no further.
 */
@FunctionalInterface
public interface IdempotencyListener {

	/**
	 * Something happened.
	 * @param event what
	 */
	void onEvent(IdempotencyEvent event);

}

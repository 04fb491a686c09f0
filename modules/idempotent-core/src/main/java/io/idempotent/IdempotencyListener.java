package io.idempotent;

/**
 * Is notified of events of submissions: for counters, alarms, audits. There may be any
 * number of beans of this type.
 *
 * <p>
 * Called on the thread that caused the event, a request's or one that renews leases, so
 * it must be quick and must not block. An exception is logged and ignored.
 */
@FunctionalInterface
public interface IdempotencyListener {

	/** Called for each event. */
	void onEvent(IdempotencyEvent event);

}

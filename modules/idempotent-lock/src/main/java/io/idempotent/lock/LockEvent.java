package io.idempotent.lock;

import java.time.Duration;

import io.idempotent.logging.DurationText;

/**
 * An event of a lock.
 *
 * @param type what happened
 * @param name the name of the lock; it may contain a key and is not suited for metric
 * tags
 * @param engine the name of the engine
 * @param time how long it took: the wait for {@link Type#OBTAINED},
 * {@link Type#NOT_OBTAINED} and {@link Type#UNAVAILABLE}, the longest wait that was
 * allowed for {@link Type#SKIPPED}, else the time since the grant
 * @param token the fencing token of the grant, or 0 if there is none
 */
public record LockEvent(Type type, String name, String engine, Duration time, long token) {

	/** The {@linkplain #group(String) group} of the lock. */
	public String group() {
		return group(this.name);
	}

	/** The group of a lock: its name up to the first colon. Suited for metric tags. */
	public static String group(String name) {
		int end = name.indexOf(':');
		return (end < 0) ? name : name.substring(0, end);
	}

	@Override
	public String toString() {
		return this.type + " of the lock '" + this.name + "' (" + this.engine + ", token " + this.token + ", "
				+ DurationText.ofMeasured(this.time) + ")";
	}

	/** The types of events. */
	public enum Type {

		/** The lock was granted. */
		OBTAINED,

		/** The lock was not obtained in time, since another holder had it. */
		NOT_OBTAINED,

		/** A method was not run, since its lock was not obtained. */
		SKIPPED,

		/** The engine could not be asked. */
		UNAVAILABLE,

		/** A renewal failed or the connection is down; the lease has not ended yet. */
		SUSPECT,

		/** A lease that was suspect was renewed. */
		RESUMED,

		/** The lock was lost while it was held. */
		LOST,

		/** The lock was released. */
		RELEASED,

		/** The lock was released here, but the engine has not confirmed that yet. */
		RELEASE_DELAYED

	}

}

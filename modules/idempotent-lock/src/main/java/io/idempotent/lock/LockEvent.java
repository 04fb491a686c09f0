package io.idempotent.lock;

import java.time.Duration;

import io.idempotent.logging.DurationText;

/**
 * Something that happened to a lock.
 *
 * @param type what happened
 * @param name the name of the lock; not for metric tags, since it may hold a key
 * @param engine the name of the engine
 * @param time how long it took: the wait for {@link Type#OBTAINED},
 * {@link Type#NOT_OBTAINED} and {@link Type#UNAVAILABLE}, the longest wait that was
 * allowed for {@link Type#SKIPPED}, else the time since the grant
 * @param token the fencing token of the grant, or 0 where there is none
 */
public record LockEvent(Type type, String name, String engine, Duration time, long token) {

	/**
	 * What the lock is one of: its name up to the first colon. Safe as a metric tag.
	 * @return the group
	 */
	public String group() {
		int end = this.name.indexOf(':');
		return (end < 0) ? this.name : this.name.substring(0, end);
	}

	@Override
	public String toString() {
		return this.type + " of the lock '" + this.name + "' (" + this.engine + ", token " + this.token + ", "
				+ DurationText.ofMeasured(this.time) + ")";
	}

	/**
	 * What may happen to a lock.
	 */
	public enum Type {

		/** It was granted. */
		OBTAINED,

		/** It was asked for and stayed with somebody else. */
		NOT_OBTAINED,

		/** A method was not run, since its lock was not obtained. */
		SKIPPED,

		/** The engine could not be asked. */
		UNAVAILABLE,

		/** A renewal failed or the connection is down; the lease has not run out yet. */
		SUSPECT,

		/** A lease that was suspect is sure again. */
		RESUMED,

		/** It was lost while it was held. */
		LOST,

		/** It was given back. */
		RELEASED,

		/** It was given back here, but the engine could not be told yet. */
		RELEASE_DELAYED

	}

}

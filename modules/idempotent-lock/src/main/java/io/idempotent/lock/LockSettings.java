package io.idempotent.lock;

import java.time.Duration;

/**
 * Settings of single locks that an operator has made, by the group of the lock: its name
 * up to the first colon. They take precedence over the values in the code. Safe for use
 * by many threads.
 */
public interface LockSettings {

	/** No settings: the values in the code apply. */
	LockSettings NONE = new LockSettings() {
	};

	/**
	 * How a lock is held.
	 * @param name the name of the lock
	 * @param declared the options in the code
	 * @return the options with the settings of the lock
	 */
	default LockOptions options(String name, LockOptions declared) {
		return declared;
	}

	/**
	 * How long to wait for a lock.
	 * @param name the name of the lock
	 * @param declared the time in the code
	 * @return the configured time, otherwise the one in the code
	 */
	default Duration waitTime(String name, Duration declared) {
		return declared;
	}

}

package io.idempotent.lock;

import java.io.Serial;

/**
 * The current thread held a lock and lost it before it gave it back: somebody else may
 * have been in the section at the same time.
 */
public class LockLostException extends IllegalMonitorStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String name;

	/**
	 * Creates the exception.
	 * @param name the lock that was lost
	 * @param message what was lost, and how
	 */
	public LockLostException(String name, String message) {
		super(message);
		this.name = name;
	}

	/**
	 * Which lock was lost.
	 * @return its name
	 */
	public String name() {
		return this.name;
	}

}

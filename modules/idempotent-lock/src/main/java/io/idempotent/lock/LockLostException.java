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

	private final boolean rolledBack;

	/**
	 * Creates the exception of a section whose effects may stand.
	 * @param name the lock that was lost
	 * @param message what was lost, and how
	 */
	public LockLostException(String name, String message) {
		this(name, message, false);
	}

	/**
	 * Creates the exception.
	 * @param name the lock that was lost
	 * @param message what was lost, and how
	 * @param rolledBack whether the transaction is rolled back on account of it
	 */
	public LockLostException(String name, String message, boolean rolledBack) {
		super(message);
		this.name = name;
		this.rolledBack = rolledBack;
	}

	/**
	 * Whether the transaction that met the loss is rolled back on account of it.
	 * @return {@code false} if what was done under the lock may stand
	 */
	public boolean isRolledBack() {
		return this.rolledBack;
	}

	/**
	 * Which lock was lost.
	 * @return its name
	 */
	public String name() {
		return this.name;
	}

}

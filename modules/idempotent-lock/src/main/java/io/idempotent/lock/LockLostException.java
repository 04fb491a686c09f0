package io.idempotent.lock;

import java.io.Serial;

/**
 * The current thread held a lock and lost it before it released it: another thread or
 * node may have held the lock at the same time.
 */
public class LockLostException extends IllegalMonitorStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String name;

	private final boolean rolledBack;

	/** Creates the exception for a loss without a rollback. */
	public LockLostException(String name, String message) {
		this(name, message, false);
	}

	/** Creates the exception; see {@link #isRolledBack()}. */
	public LockLostException(String name, String message, boolean rolledBack) {
		super(message);
		this.name = name;
		this.rolledBack = rolledBack;
	}

	/**
	 * Whether the transaction is rolled back because of the loss. Otherwise the effects
	 * of the code under the lock may persist.
	 */
	public boolean isRolledBack() {
		return this.rolledBack;
	}

	/** The lock that was lost. */
	public String name() {
		return this.name;
	}

}

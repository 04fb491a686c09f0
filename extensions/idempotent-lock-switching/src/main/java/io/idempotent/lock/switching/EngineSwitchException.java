package io.idempotent.lock.switching;

import java.io.Serial;

/**
 * The nodes have not switched to another lock engine: the switch is not possible, or was
 * called off. Locks are granted on the engine in force.
 */
public class EngineSwitchException extends IllegalStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	/** Creates the exception; the message says what to do. */
	public EngineSwitchException(String message) {
		super(message);
	}

}

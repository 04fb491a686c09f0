package io.idempotent.lock.administration;

import java.io.Serial;
import java.util.Map;

/**
 * Lets operators see and control the switching between lock engines. Without a bean of
 * this type, locks stay on their engine.
 */
public interface SwitchControl {

	/**
	 * What the nodes agree on, for the endpoint and the health: {@code epoch}, and during
	 * a switch {@code switch} with {@code target} and {@code waitingFor}. Makes no remote
	 * call.
	 */
	Map<String, Object> status();

	/**
	 * Lets all nodes switch to an engine, and waits until they have.
	 * @throws IllegalArgumentException if the nodes cannot switch to such an engine
	 * @throws NotSwitchedException if they cannot switch now, or the switch was called
	 * off
	 * @throws io.idempotent.lock.LockUnavailableException if it is not known whether they
	 * switch
	 */
	void switchTo(String engine);

	/**
	 * Calls off the switch in progress; returns whether there was one.
	 * @throws NotSwitchedException if the thread is interrupted
	 * @throws io.idempotent.lock.LockUnavailableException if the nodes cannot agree on
	 * that now
	 */
	boolean callOff();

	/** The nodes have not switched. The message says why. */
	final class NotSwitchedException extends RuntimeException {

		@Serial
		private static final long serialVersionUID = 1L;

		/** Creates the exception. */
		public NotSwitchedException(Throwable cause) {
			super(cause.getMessage(), cause);
		}

	}

}

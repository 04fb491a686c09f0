package io.idempotent.lock.internal.epoch;

/**
 * A command of an operator.
 */
public sealed interface SwitchCommand {

	/**
	 * A switch to an engine.
	 *
	 * @param engine the engine
	 */
	record Start(String engine) implements SwitchCommand {
	}

	/** The end of the switch in progress, without a change. */
	record CallOff() implements SwitchCommand {
	}

}

package io.idempotent.lock.internal.epoch;

/**
 * What an operator wants.
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

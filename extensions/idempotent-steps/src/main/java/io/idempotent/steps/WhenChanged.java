package io.idempotent.steps;

/**
 * What happens to a repeat whose code differs from that of the attempts before: it meets
 * a step that is new before one that is done or interrupted.
 */
public enum WhenChanged {

	/** It is refused as {@code outcome-unknown}. */
	REFUSE,

	/** It runs the new step, which is logged. */
	CONTINUE

}

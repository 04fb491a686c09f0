package io.idempotent.crash;

/**
 * What comes over a process.
 */
enum Manner {

	/** {@link Runtime#halt} by the very threads that have reached their points. */
	HALT,

	/** {@code kill -9} from outside. */
	KILL,

	/** {@code kill -STOP}, for longer than the lease, and then {@code kill -CONT}. */
	STOP

}

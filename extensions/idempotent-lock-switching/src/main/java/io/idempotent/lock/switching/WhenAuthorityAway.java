package io.idempotent.lock.switching;

/**
 * What a node does if it cannot reach the authority for the length of its lease.
 */
public enum WhenAuthorityAway {

	/**
	 * It grants no lock, and the locks it holds are lost. So no lock has two holders,
	 * whatever the other nodes decide meanwhile.
	 */
	STOP_GRANTING,

	/**
	 * It continues with the engine that it knows. If the other nodes switch to another
	 * engine meanwhile, a lock may have a holder on each of the two.
	 */
	KEEP_GRANTING

}

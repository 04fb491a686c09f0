package io.idempotent.store;

/**
 * What an operator decides on a claim.
 *
 * @param seen the owner of the claim that the operator has seen
 * @param attempt the number of that claim
 * @param force whether to settle it even while the lease of the owner lasts
 * @param by the owner of the tombstone that {@link Kind#CONFIRM} leaves: a new one, so
 * that the owner of the claim has lost it
 */
public record Settlement(OperationKey key, Owner seen, int attempt, Kind kind, boolean force, Owner by) {

	/**
	 * The kind of a settlement.
	 */
	public enum Kind {

		/** The operation may run again. */
		RELEASE,

		/** The operation took effect, and never runs again. */
		CONFIRM

	}

}

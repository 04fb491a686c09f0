package io.idempotent.store;

import java.time.Duration;

/**
 * Keeps one record for each operation key: five atomic primitives, no decisions.
 *
 * <p>
 * Each method is atomic for its key against every other caller on every node, judges time
 * by the store's own clock alone, and blocks until the store has answered. Every method
 * may be called by any thread and may be repeated by the same owner: a claim, renewal or
 * completion whose first call went through unheard finds itself
 * {@link ClaimResult.Granted granted} or {@link Ownership#HELD}; a repeated release finds
 * itself {@link Ownership#LOST}, which always means that nothing was changed.
 *
 * <p>
 * Every method throws {@link StoreUnavailableException} when the store cannot be reached,
 * refuses the write or does not answer in time, in which case the call may or may not
 * have taken effect, and {@link UnreadableRecordException} when a record is not in a
 * format this version knows, in which case nothing was changed.
 */
public interface IdempotencyStore {

	/**
	 * Makes a key known, so that a claim may insist on it. A key that has a record
	 * already is left as it is.
	 * @param key the key
	 * @param timeToLive how long it may be claimed for the first time
	 */
	void issue(OperationKey key, Duration timeToLive);

	/**
	 * Claims the operation, or tells what stands in the way. A fingerprint other than the
	 * recorded one is told before anything else, a lapsed lease included.
	 * @param request what is asked
	 * @return what it met
	 */
	ClaimResult claim(ClaimRequest request);

	/**
	 * Lets the lease of a running claim start again.
	 * @param claim the claim
	 * @param lease how long it lives from now
	 * @return whether the claim is still the owner's; a lapsed claim that nobody has
	 * taken over is
	 */
	Ownership renew(ClaimId claim, Duration lease);

	/**
	 * Records how the operation ended. Where the store has lost the record, nobody else
	 * holds it and the effect is real: the record is written anew.
	 * @param claim the claim
	 * @param outcome the outcome
	 * @param retention how long it is remembered from now
	 * @return whether it was recorded
	 */
	Ownership complete(ClaimId claim, Outcome outcome, Duration retention);

	/**
	 * Gives a claim up without an outcome.
	 * @param claim the claim
	 * @param release how
	 * @return whether the claim was the owner's
	 */
	Ownership release(ClaimId claim, Release release);

}

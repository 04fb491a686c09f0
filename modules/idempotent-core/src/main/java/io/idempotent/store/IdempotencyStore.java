package io.idempotent.store;

import java.time.Duration;

/**
 * Keeps one record for each operation key. It makes no decisions.
 *
 * <p>
 * Each method is atomic for its key across all nodes, uses the store's own clock only,
 * and blocks until the store has answered. Every method may be called by any thread and
 * may be repeated by the same owner. If the reply of a claim, renewal or completion was
 * lost, the repeated call returns {@link ClaimResult.Granted} or {@link Ownership#HELD}.
 * A repeated release returns {@link Ownership#LOST}, which always means that nothing was
 * changed.
 *
 * <p>
 * Every method throws {@link StoreUnavailableException} when the store cannot be reached,
 * refuses the write or does not answer in time, in which case the call may or may not
 * have taken effect, and {@link UnreadableRecordException} when a record is not in a
 * format this version knows, in which case nothing was changed.
 */
public interface IdempotencyStore {

	/**
	 * Issues a key, so that a claim may require that it was issued. An existing record is
	 * not changed.
	 * @param timeToLive how long it may be claimed for the first time
	 */
	void issue(OperationKey key, Duration timeToLive);

	/**
	 * Checks whether the store accepts writes, by default by issuing a key.
	 * @param unused a key that no submission uses
	 * @param timeToLive how long what the check has written may remain
	 */
	default void check(OperationKey unused, Duration timeToLive) {
		issue(unused, timeToLive);
	}

	/**
	 * Claims the operation. A fingerprint that differs from the recorded one is reported
	 * first, even if the lease has ended.
	 */
	ClaimResult claim(ClaimRequest request);

	/**
	 * Renews the lease of a claim.
	 * @param lease how long it lasts from now on
	 * @return whether the owner still holds the claim, which includes a claim whose lease
	 * has ended but that was not taken over
	 */
	Ownership renew(ClaimId claim, Duration lease);

	/**
	 * Records the outcome of the operation. If the store has lost the record, no other
	 * owner holds it, and the record is written again.
	 * @param retention how long it is remembered from now
	 * @return whether it was recorded
	 */
	Ownership complete(ClaimId claim, Outcome outcome, Duration retention);

	/**
	 * Releases a claim without an outcome.
	 * @return whether the owner held the claim
	 */
	Ownership release(ClaimId claim, Release release);

	/** Whether it encrypts outcomes itself: it does not get them encrypted. */
	default boolean encrypts() {
		return false;
	}

	/**
	 * How many renewals wait for replies at the same time at most, each on a thread;
	 * those that are due meanwhile are late. Few, unless the store has several servers of
	 * which one can hang, and calls occupy no connection of the application.
	 */
	default int renewalsAtOnce() {
		return 4;
	}

	/**
	 * Whether an owner held the claim that it renewed, completed or released.
	 */
	enum Ownership {

		/**
		 * The owner held the claim, and the change was made, now or by an earlier call.
		 */
		HELD,

		/** The owner does not hold the claim, or no longer does; nothing was changed. */
		LOST

	}

	/**
	 * The kind of a release.
	 */
	enum Release {

		/**
		 * No effect took place: the record returns to the state before the claim, issued
		 * or absent.
		 */
		NO_EFFECT,

		/** The lease ends at once, and the outcome is unknown from now on. */
		UNKNOWN

	}

}

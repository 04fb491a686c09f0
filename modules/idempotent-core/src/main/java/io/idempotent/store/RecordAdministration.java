package io.idempotent.store;

import java.util.List;

/**
 * The operations of a store for operators: an optional second interface of an
 * {@link IdempotencyStore}, which submissions do not use.
 *
 * <p>
 * The methods throw {@link StoreUnavailableException} and
 * {@link UnreadableRecordException} as those of {@link IdempotencyStore} do. They may be
 * called by any thread.
 */
public interface RecordAdministration {

	/** Reads a record atomically, and changes nothing. */
	RecordSnapshot inspect(OperationKey key);

	/**
	 * Finds the keys of records by the beginning of their text. The effort is bounded.
	 * @param prefix the first characters of {@link OperationKey#encoded()}
	 * @param limit how many keys are returned at most, at least 1
	 */
	FoundKeys findKeys(KeyPrefix prefix, int limit);

	/**
	 * Lists operations whose outcome is unknown, by the last sign of life of their
	 * owners, newest first.
	 * @param limit how many are returned at most, at least 1
	 */
	UnknownRecords unknown(int limit);

	/**
	 * Ends a claim in the place of its owner, if the record is still the claim that the
	 * operator has seen. A waiting submission is woken as if the owner had ended it.
	 * <p>
	 * {@link Settlement.Kind#RELEASE} turns the record into an issued one with the same
	 * number of attempts: it may be claimed, and the owner, if it still runs, has lost
	 * its claim. {@link Settlement.Kind#CONFIRM} replaces the record by a tombstone of
	 * the settlement's owner, with the retention of the claim.
	 */
	SettlementResult settle(Settlement settlement);

	/** The name of the record for the store's tools: a Redis key, an SQL condition. */
	String nameOf(OperationKey key);

	/**
	 * Keys that were found.
	 *
	 * @param complete whether there are no others; {@code false} if the limit was reached
	 * or the search was given up
	 */
	record FoundKeys(List<OperationKey> keys, boolean complete) {
	}

	/**
	 * Records of operations whose outcome is unknown, newest first.
	 *
	 * @param complete whether there are no others; {@code false} if the limit was
	 * reached, or if the store does not see all of them
	 */
	record UnknownRecords(List<RecordSnapshot> records, boolean complete) {
	}

	/**
	 * The result of a {@link Settlement}.
	 */
	enum SettlementResult {

		/** The claim was settled. */
		SETTLED,

		/** The lease of its owner has not ended, and the settlement has no force. */
		ALIVE,

		/**
		 * The record is no longer that claim, or has no lease; nothing was changed. Also
		 * the result of a repeated settlement.
		 */
		CHANGED

	}

}

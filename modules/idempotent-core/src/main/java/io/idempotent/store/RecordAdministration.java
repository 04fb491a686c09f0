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

	/**
	 * Reads a record atomically, and changes nothing.
	 * @param key the operation key
	 */
	RecordSnapshot inspect(OperationKey key);

	/**
	 * Finds the keys of records by the beginning of their text. The effort is bounded.
	 * @param prefix the first characters of {@link OperationKey#encoded()}
	 * @param limit how many keys are returned at most, at least 1
	 * @return the keys, and whether there are no others
	 */
	FoundKeys findKeys(KeyPrefix prefix, int limit);

	/**
	 * Lists operations whose outcome is unknown, by the last sign of life of their
	 * owners, newest first.
	 * @param limit how many are returned at most, at least 1
	 * @return the records, and whether there are no others
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
	 * @param settlement what to do with which claim
	 * @return whether it was done
	 */
	SettlementResult settle(Settlement settlement);

	/**
	 * The name of the record for the store's own tools: a Redis key, an SQL condition.
	 * @param key the operation key
	 */
	String nameOf(OperationKey key);

	/**
	 * Keys that were found.
	 *
	 * @param keys the keys
	 * @param complete whether there are no others; {@code false} if the limit was reached
	 * or the search was given up
	 */
	record FoundKeys(List<OperationKey> keys, boolean complete) {
	}

	/**
	 * Operations whose outcome is unknown.
	 *
	 * @param records their records, newest first
	 * @param complete whether there are no others; {@code false} if the limit was
	 * reached, or if the store does not see all of them
	 */
	record UnknownRecords(List<RecordSnapshot> records, boolean complete) {
	}

}

package io.idempotent.administration;

import java.util.List;

import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;

/**
 * Shows the records of operations to an operator, and settles abandoned claims.
 *
 * <p>
 * Each method calls the store, and the guarded database if there are receipts. They throw
 * {@link StoreUnavailableException} if one of them does not answer,
 * {@link UnreadableRecordException} if a record cannot be read, and
 * {@link UnsupportedOperationException} if the store is not a
 * {@link io.idempotent.store.RecordAdministration}. Safe for use by several threads.
 */
public interface IdempotencyAdministration {

	/**
	 * Looks up one operation. Blocks for one round trip to the store, and one statement
	 * if there are receipts.
	 * @param key the operation key
	 * @return what is known of it; its state is {@code ABSENT} if there is no record
	 */
	OperationRecord find(OperationKey key);

	/**
	 * Looks up operations by the beginning of their key, such as the short hash in a log.
	 * The effort is bounded: a store with unsorted keys may give up.
	 * @param prefix the beginning of the encoded key
	 * @return what was found
	 */
	OperationLookup find(KeyPrefix prefix);

	/**
	 * Lists operations whose outcome is unknown, newest first. What the store can see of
	 * them is described in {@code docs/troubleshooting.md}.
	 * @param limit how many are returned at most, at least 1
	 */
	UnknownOperations unknown(int limit);

	/**
	 * Releases an operation that is unknown or stuck: it may run again. Refused while the
	 * lease of its owner lasts, unless forced; and always if its receipt proves that it
	 * took effect, or if it is not in progress.
	 * @param key the operation key
	 * @param by the operator, for the audit log
	 * @param reason the reason, for the audit log; not blank
	 * @param force whether to release it even while the lease of its owner lasts; its
	 * effect may then happen twice
	 * @return whether it was released
	 * @throws IllegalArgumentException if the operator or the reason is blank
	 */
	InterventionResult release(OperationKey key, String by, String reason, boolean force);

	/**
	 * Confirms that an operation that is unknown or stuck took effect: it never runs
	 * again, and repeats are treated as those of a completed operation whose answer was
	 * not stored. Refused while the lease of its owner lasts, unless forced; and always
	 * if it is not in progress.
	 * @param key the operation key
	 * @param by the operator, for the audit log
	 * @param reason the reason, for the audit log; not blank
	 * @param force whether to confirm it even while the lease of its owner lasts; the
	 * answer of the owner is then not stored
	 * @return whether it was confirmed
	 * @throws IllegalArgumentException if the operator or the reason is blank
	 */
	InterventionResult confirm(OperationKey key, String by, String reason, boolean force);

	/**
	 * The interventions that were made on this node since it started.
	 * @return the last {@value #MAX_INTERVENTIONS} at most, newest first
	 */
	List<Intervention> interventions();

	/**
	 * The name of this node, as in the origin of its claims.
	 */
	String node();

	/**
	 * The number of claims that this node holds and renews.
	 * @return the number, without claims that have no lease
	 */
	int running();

	/** The maximum number of interventions that are kept. */
	int MAX_INTERVENTIONS = 100;

}

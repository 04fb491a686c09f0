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
 *
 * <p>
 * An intervention writes the operator and the reason to the audit log, and throws an
 * {@link IllegalArgumentException} if one of them is blank.
 */
public interface IdempotencyAdministration {

	/**
	 * Looks up one operation. Blocks for one round trip to the store, and one statement
	 * if there are receipts. The state is {@code ABSENT} if there is no record.
	 */
	OperationRecord find(OperationKey key);

	/**
	 * Looks up operations by the beginning of their key, such as the short hash in a log.
	 * The effort is bounded: a store with unsorted keys may give up.
	 */
	OperationLookup find(KeyPrefix prefix);

	/**
	 * Lists operations whose outcome is unknown, newest first. What the store can see of
	 * them is described in {@code docs/troubleshooting.md}.
	 * @param limit how many are returned at most, at least 1
	 */
	OperationLookup unknown(int limit);

	/**
	 * Releases an operation that is unknown or stuck: it may run again. Refused while the
	 * lease of its owner lasts, unless forced; and always if its receipt proves that it
	 * took effect, or if it is not in progress.
	 * @param force whether to release it even while the lease of its owner lasts; its
	 * effect may then happen twice
	 */
	InterventionResult release(OperationKey key, String by, String reason, boolean force);

	/**
	 * Confirms that an operation that is unknown or stuck took effect: it never runs
	 * again, and repeats are treated as those of a completed operation whose answer was
	 * not stored. Refused while the lease of its owner lasts, unless forced; and always
	 * if it is not in progress.
	 * @param force whether to confirm it even while the lease of its owner lasts; the
	 * answer of the owner is then not stored
	 */
	InterventionResult confirm(OperationKey key, String by, String reason, boolean force);

	/**
	 * The last {@value io.idempotent.audit.AuditTrail#CAPACITY} interventions that were
	 * made on this node since it started, newest first.
	 */
	List<Intervention> interventions();

	/** The number of claims that this node renews; those without a lease do not count. */
	int running();

	/**
	 * Operations that were found.
	 *
	 * @param complete whether there are certainly no others; {@code false} if the search
	 * was given up, found more than it returns, or does not see all
	 */
	record OperationLookup(List<OperationRecord> records, boolean complete) {
	}

}

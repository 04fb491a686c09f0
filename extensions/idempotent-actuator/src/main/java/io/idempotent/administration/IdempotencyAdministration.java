package io.idempotent.administration;

import java.time.Instant;
import java.util.List;

import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import org.jspecify.annotations.Nullable;

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
	UnknownOperations unknown(int limit);

	/**
	 * Releases an operation that is unknown or stuck: it may run again. Refused while the
	 * lease of its owner lasts, unless forced; and always if its receipt proves that it
	 * took effect, or if it is not in progress.
	 * @param by the operator, for the audit log
	 * @param reason the reason, for the audit log; not blank
	 * @param force whether to release it even while the lease of its owner lasts; its
	 * effect may then happen twice
	 * @throws IllegalArgumentException if the operator or the reason is blank
	 */
	InterventionResult release(OperationKey key, String by, String reason, boolean force);

	/**
	 * Confirms that an operation that is unknown or stuck took effect: it never runs
	 * again, and repeats are treated as those of a completed operation whose answer was
	 * not stored. Refused while the lease of its owner lasts, unless forced; and always
	 * if it is not in progress.
	 * @param by the operator, for the audit log
	 * @param reason the reason, for the audit log; not blank
	 * @param force whether to confirm it even while the lease of its owner lasts; the
	 * answer of the owner is then not stored
	 * @throws IllegalArgumentException if the operator or the reason is blank
	 */
	InterventionResult confirm(OperationKey key, String by, String reason, boolean force);

	/**
	 * The last {@value io.idempotent.audit.AuditTrail#CAPACITY} interventions that were
	 * made on this node since it started, newest first.
	 */
	List<Intervention> interventions();

	/** The name of this node, as in the origin of its claims. */
	String node();

	/** The number of claims that this node renews; those without a lease do not count. */
	int running();

	/**
	 * The result of a search by the beginning of a key.
	 *
	 * @param complete whether there are certainly no others; {@code false} if the search
	 * was given up, or found more than it returns
	 */
	record OperationLookup(List<OperationRecord> records, boolean complete) {
	}

	/**
	 * Operations whose outcome is unknown, newest first.
	 *
	 * @param complete whether there are certainly no others; {@code false} if the limit
	 * was reached, or if the store does not see all of them
	 */
	record UnknownOperations(List<UnknownOperation> operations, boolean complete) {
	}

	/**
	 * An operation whose outcome is unknown.
	 *
	 * @param operation its name; {@code null} where it is not known
	 * @param claimedAt when its claim was made, by the clock of its node; {@code null}
	 * where it is not known
	 * @param attempt the number of that claim
	 * @param node the node that made it; {@code null} where it is not known
	 */
	record UnknownOperation(OperationKey key, @Nullable String operation, @Nullable Instant claimedAt, int attempt,
			@Nullable String node, Advice advice) {
	}

}

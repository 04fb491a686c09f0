package io.idempotent.administration;

import java.time.Duration;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordState;
import io.idempotent.submission.receipt.Receipts.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one operation.
 *
 * @param storeName the name of the record in the store, for the store's own tools
 * @param attempt the number of the last claim, 0 if there was none
 * @param age the time since that claim, by the clocks of the two nodes, never negative;
 * {@code null} where it is not known
 * @param owner the owner of that claim, {@code null} if there is none
 * @param origin where the run came from; {@code null} where it is not known
 * @param onThisNode whether this node holds that claim and renews it
 * @param leaseLeft the time until the lease ends if it is not renewed, or zero
 * @param retentionLeft the time until the record expires, or zero
 * @param receipt the receipt in the guarded database; {@code null} if there is none, or
 * if there are no receipts
 * @param outcome the outcome of a completed operation, with the stored answer, otherwise
 * {@code null}
 * @param advice what an operator can do
 */
public record OperationRecord(OperationKey key, String storeName, RecordState state, int attempt,
		@Nullable Duration age, @Nullable Owner owner, @Nullable Origin origin, boolean onThisNode, Duration leaseLeft,
		Duration retentionLeft, @Nullable Receipt receipt, @Nullable Outcome outcome, Advice advice) {

	/** The name of the operation, or {@code null} if it is not known. */
	public @Nullable String operation() {
		return (this.origin != null) ? this.origin.operation() : null;
	}

	/** The encoded key: 43 characters. */
	public String id() {
		return this.key.encoded();
	}

	/** The short hash, as in logs: the first 12 characters of {@link #id()}. */
	public String hash() {
		return this.key.toString();
	}

}

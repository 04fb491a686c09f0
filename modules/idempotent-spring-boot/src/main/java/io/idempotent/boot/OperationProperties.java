package io.idempotent.boot;

import java.time.Duration;
import java.util.List;

import io.idempotent.KeySource;
import io.idempotent.ReceiptMode;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import org.jspecify.annotations.Nullable;

/**
 * What can be set for a single operation, and wins over its annotation. Each attribute
 * but the receipt and the compared fields has its counterpart in
 * {@link OperationDefaults}.
 *
 * @param source Where the key comes from.
 * @param ignoredFields Fields of its requests that do not count when contents are
 * compared.
 * @param comparedFields The only fields of its requests that count when contents are
 * compared.
 * @param lease How long a claim lives without renewal.
 * @param retention How long a finished operation is remembered.
 * @param waitTimeout How long a duplicate waits at most for a running operation.
 * @param whenCompleted What a duplicate of a finished operation gets.
 * @param whenInProgress What a duplicate of a running operation gets.
 * @param whenUnknown What happens after the owner of an operation stopped renewing its
 * claim.
 * @param whenFailed What happens to the claim when the operation throws or answers 5xx.
 * @param whenStoreFails What a submission does while the store cannot be reached.
 * @param receipt Whether what it commits leaves a receipt in the guarded database.
 * @param replayErrors Errors that are recorded and replayed, by their status: 409, 4xx,
 * 5xx.
 */
record OperationProperties(@Nullable KeySource source, @Nullable List<String> ignoredFields,
		@Nullable List<String> comparedFields, @Nullable Duration lease, @Nullable Duration retention,
		@Nullable Duration waitTimeout, @Nullable WhenCompleted whenCompleted, @Nullable WhenInProgress whenInProgress,
		@Nullable WhenUnknown whenUnknown, @Nullable WhenFailed whenFailed, @Nullable WhenStoreFails whenStoreFails,
		@Nullable ReceiptMode receipt, @Nullable List<String> replayErrors) {

	/** An operation with no settings of its own. */
	static final OperationProperties NONE = new OperationProperties(null, null, null, null, null, null, null, null,
			null, null, null, null, null);

	/**
	 * The same, with lists where there were none.
	 * @param ignored fields that do not count
	 * @param compared the only fields that count
	 * @param replayed errors that are replayed
	 * @return the settings
	 */
	OperationProperties orLists(@Nullable List<String> ignored, @Nullable List<String> compared,
			@Nullable List<String> replayed) {
		return new OperationProperties(this.source, (this.ignoredFields != null) ? this.ignoredFields : ignored,
				(this.comparedFields != null) ? this.comparedFields : compared, this.lease, this.retention,
				this.waitTimeout, this.whenCompleted, this.whenInProgress, this.whenUnknown, this.whenFailed,
				this.whenStoreFails, this.receipt, (this.replayErrors != null) ? this.replayErrors : replayed);
	}

}

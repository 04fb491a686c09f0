package io.idempotent.test;

import io.idempotent.store.RecordState;
import io.idempotent.submission.receipt.Receipts;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions on one operation. */
public final class RecordedOperationAssert extends AbstractAssert<RecordedOperationAssert, RecordedOperation> {

	private final @Nullable Receipts receipts;

	RecordedOperationAssert(RecordedOperation actual, @Nullable Receipts receipts) {
		super(actual, RecordedOperationAssert.class);
		this.receipts = receipts;
	}

	/** Asserts that the operation is running. */
	public RecordedOperationAssert isInProgress() {
		return hasState(RecordState.IN_PROGRESS);
	}

	/**
	 * Asserts that the operation has ended, and that it is unknown whether it took
	 * effect.
	 */
	public RecordedOperationAssert isUnknown() {
		return hasState(RecordState.UNKNOWN);
	}

	/** Asserts that the operation took effect. */
	public RecordedOperationAssert isCompleted() {
		return hasState(RecordState.COMPLETED);
	}

	private RecordedOperationAssert hasState(RecordState expected) {
		if (this.actual.state() != expected) {
			failWithMessage("Expected an operation that is %s, but it is %s", expected, this.actual);
		}
		return this;
	}

	/** Asserts how often the operation was attempted, including the last attempt. */
	public RecordedOperationAssert hasAttempt(int expected) {
		if (this.actual.attempt() != expected) {
			failWithMessage("Expected attempt %d, but it is %s", expected, this.actual);
		}
		return this;
	}

	/** Asserts that the operation's transaction wrote a receipt and was committed. */
	public RecordedOperationAssert hasReceipt() {
		if (isReceiptMissing()) {
			failWithMessage("Expected a receipt, but there is none of %s", this.actual);
		}
		return this;
	}

	/** Asserts that there is no receipt of the operation. */
	public RecordedOperationAssert hasNoReceipt() {
		if (!isReceiptMissing()) {
			failWithMessage("Expected no receipt, but there is one of %s", this.actual);
		}
		return this;
	}

	private boolean isReceiptMissing() {
		if (this.receipts == null) {
			throw new IllegalStateException("There are no receipts in this context: they need "
					+ "idempotent.guard.enabled=true, the module idempotent-jdbc and a DataSource");
		}
		return this.receipts.find(this.actual.key()).isEmpty();
	}

}

package io.idempotent.test;

import java.util.List;

import io.idempotent.submission.receipt.Receipts;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions on the operations that a test has submitted. */
public final class TestIdempotencyStoreAssert extends AbstractAssert<TestIdempotencyStoreAssert, TestIdempotencyStore> {

	private final @Nullable Receipts receipts;

	TestIdempotencyStoreAssert(TestIdempotencyStore actual, @Nullable Receipts receipts) {
		super(actual, TestIdempotencyStoreAssert.class);
		this.receipts = receipts;
	}

	/** Asserts that no operation is running, unknown or completed. */
	public TestIdempotencyStoreAssert hasNoRecords() {
		List<RecordedOperation> records = this.actual.records();
		if (!records.isEmpty()) {
			failWithMessage("Expected no records, but there are %s", records);
		}
		return this;
	}

	/** Asserts that no operation of this name is running, unknown or completed. */
	public TestIdempotencyStoreAssert hasNoRecordOf(String operation) {
		List<RecordedOperation> records = recordsOf(operation);
		if (!records.isEmpty()) {
			failWithMessage("Expected no record of operation '%s', but there are %s", operation, records);
		}
		return this;
	}

	/** Asserts that there is exactly one record, and returns assertions on it. */
	public RecordedOperationAssert record() {
		return only(this.actual.records(), "one record");
	}

	/**
	 * Asserts that there is exactly one record of an operation, and returns assertions on
	 * it.
	 * @param operation the name of the operation, such as {@code OrderController.place}
	 */
	public RecordedOperationAssert record(String operation) {
		return only(recordsOf(operation), "one record of operation '" + operation + "'");
	}

	private List<RecordedOperation> recordsOf(String operation) {
		return this.actual.records().stream().filter((record) -> record.operation().equals(operation)).toList();
	}

	private RecordedOperationAssert only(List<RecordedOperation> records, String expected) {
		if (records.size() != 1) {
			failWithMessage("Expected %s, but there are %d. All records are %s", expected, records.size(),
					this.actual.records());
		}
		return new RecordedOperationAssert(records.get(0), this.receipts);
	}

}

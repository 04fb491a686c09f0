package io.idempotent.boot.internal.policy;

import java.util.List;

import io.idempotent.KeySource;
import io.idempotent.ReceiptMode;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;

/**
 * What an operation cannot do where its receipt is its only record.
 *
 * @param only whether receipts are the only records
 */
record ReceiptRecords(boolean only) {

	private static final List<Object> IMPOSSIBLE = List.of(KeySource.TOKEN, ReceiptMode.OFF, WhenCompleted.BURN,
			WhenFailed.UNKNOWN, WhenUnknown.REJECT, WhenUnknown.ASK);

	/** Returns the value; fails if it needs a record beside the receipt. */
	<T> T require(PolicyValue<T> value) {
		if (this.only && IMPOSSIBLE.contains(value.value())) {
			throw value.refused(
					"with idempotent.store.type=receipt the receipt, which is written with the effect, is "
							+ "the only record: nothing can be recorded before or without it",
					"Choose another value, or another store, such as idempotent.store.type=jdbc");
		}
		return value.value();
	}

}

package io.idempotent.method;

import java.io.Serial;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Items of a batch failed or were refused. The cause is that of the first one.
 *
 * <p>
 * <strong>Promised:</strong> every item before the first that failed has taken effect,
 * now or earlier, and is not run again while its record is kept. An item that failed has
 * taken no effect in its transaction. An item after the first that failed has taken
 * effect only if the batch {@linkplain IdempotentBatch#continueAfterFailures() continues
 * after failures}.
 */
public class BatchItemException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final TreeMap<Integer, Throwable> failures;

	/** Creates the exception with at least one failure, by the index of its item. */
	BatchItemException(String operation, SortedMap<Integer, Throwable> failures) {
		super("Operation '" + operation + "' failed for the items " + failures.keySet()
				+ " of a batch, counted from 0. The items before the first of them have taken effect",
				failures.get(failures.firstKey()));
		this.failures = new TreeMap<>(failures);
	}

	/** The index of the first item that failed, from 0. */
	public int index() {
		return this.failures.firstKey();
	}

	/** The reason why each item failed, by its index, in order. */
	public SortedMap<Integer, Throwable> failures() {
		return Collections.unmodifiableSortedMap(this.failures);
	}

}

package io.idempotent.method;

import java.util.Collections;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;

import io.idempotent.method.internal.call.CallExecutor;
import io.idempotent.submission.policy.DeclaredPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Creates batches of operations, as for listeners that receive several messages at once.
 */
public final class IdempotentBatches {

	private final CallExecutor calls;

	private final SortedSet<String> names = new ConcurrentSkipListSet<>();

	public IdempotentBatches(CallExecutor calls) {
		this.calls = calls;
	}

	/**
	 * Creates a batch, once: it is executed with many lists of items.
	 * @param <E> the type of the items
	 * @param operation the name of the operation, a constant of the application; it is
	 * configured as that of an {@link io.idempotent.Idempotent @Idempotent} listener
	 * @param key what tells one item from another, as the key of an
	 * {@link io.idempotent.IdempotencyTemplate}
	 * @throws IllegalArgumentException if the operation cannot work
	 */
	public <E extends @Nullable Object> IdempotentBatch<E> of(String operation,
			Function<? super E, ? extends @Nullable Object> key) {
		IdempotentBatch<E> batch = new IdempotentBatch<>(this.calls,
				this.calls.operations().operation(operation, DeclaredPolicy.MESSAGE, void.class), key, null, false);
		this.names.add(operation);
		return batch;
	}

	/** The names of the operations. */
	public SortedSet<String> names() {
		return Collections.unmodifiableSortedSet(this.names);
	}

}

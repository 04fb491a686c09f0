package io.idempotent.method;

import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;

import io.idempotent.function.ThrowingConsumer;
import io.idempotent.method.internal.call.CallExecutor;
import io.idempotent.method.internal.call.CallOperation;
import io.idempotent.transaction.TransactionScope;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * Runs code for each item of a list, as an operation of its own that takes effect once.
 * Immutable, and safe for use by several threads.
 *
 * <p>
 * <strong>Promised:</strong> the same as if an
 * {@link io.idempotent.Idempotent @Idempotent} listener were called for each item in the
 * order of the list, until one fails: items that have taken effect are left out, an item
 * in progress elsewhere is awaited, and a failure affects no other item. An item that
 * occurs twice takes effect once. Nobody waits for an item while holding claims of
 * others. <strong>Not promised:</strong> that the items take effect together.
 *
 * <p>
 * With {@code whenUnknown} other than {@code RERUN}, or {@code BURN}, items are claimed
 * one by one: otherwise a crash would leave the outcome of items unknown that never ran.
 *
 * @param <E> the type of the items
 */
public final class IdempotentBatch<E extends @Nullable Object> {

	final CallExecutor calls;

	final CallOperation operation;

	final Function<? super E, ? extends @Nullable Object> key;

	final @Nullable PlatformTransactionManager manager;

	final boolean continues;

	IdempotentBatch(CallExecutor calls, CallOperation operation, Function<? super E, ? extends @Nullable Object> key,
			@Nullable PlatformTransactionManager manager, boolean continues) {
		this.calls = calls;
		this.operation = operation;
		this.key = key;
		this.manager = manager;
		this.continues = continues;
	}

	/**
	 * Returns a batch whose items share transactions: one commit, and one statement for
	 * all receipts. If an item or the commit fails, the transaction is rolled back, and
	 * each item up to there runs again in a transaction of its own; if the commit is in
	 * doubt, too, so that without receipts all may take effect twice. At an item in
	 * progress elsewhere, the transaction is committed before the wait.
	 */
	public IdempotentBatch<E> inOneTransaction(PlatformTransactionManager transactions) {
		return new IdempotentBatch<>(this.calls, this.operation, this.key, transactions, this.continues);
	}

	/**
	 * Returns a batch that runs the items after a failed one too, and fails at the end.
	 * By default, the first failure ends the batch, so that the items keep their order.
	 */
	public IdempotentBatch<E> continueAfterFailures() {
		return new IdempotentBatch<>(this.calls, this.operation, this.key, this.manager, true);
	}

	/**
	 * Runs the code for each item that has not taken effect. Do not call it inside a
	 * transaction: its rollback would undo items that are reported as done.
	 * @param action the code; it must be done when it returns
	 * @throws BatchItemException if an item failed or was refused
	 * @throws IllegalStateException inside a transaction
	 */
	public void execute(List<? extends E> items, ThrowingConsumer<? super E, ?> action) {
		if (!TransactionScope.open().isEmpty()) {
			throw new IllegalStateException("The batch of operation '" + this.operation.name()
					+ "' was executed inside a transaction, whose rollback would undo items that are reported as done: "
					+ "execute it without one, and begin transactions in its action, or with inOneTransaction");
		}
		SortedMap<Integer, Throwable> failures = new BatchExecution<>(this, items, action).run();
		if (!failures.isEmpty()) {
			throw new BatchItemException(this.operation.name(), failures);
		}
	}

}

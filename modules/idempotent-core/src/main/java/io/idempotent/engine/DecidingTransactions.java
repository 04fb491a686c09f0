package io.idempotent.engine;

import java.util.function.Supplier;

import io.idempotent.engine.receipt.AttemptReceipt;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionScope;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that decide on an operation: with receipts the guarded one alone.
 *
 * @param scope those in which the target of its call began
 * @param guarded the outcome of the guarded one; {@link AttemptReceipt#READ_ONLY} if that
 * may not write, {@code null} if there is none
 */
public record DecidingTransactions(TransactionScope scope, @Nullable Supplier<TransactionOutcome> guarded) {

	static final DecidingTransactions NONE = new DecidingTransactions(TransactionScope.NONE, null);

	public @Nullable TransactionOutcome outcome() {
		TransactionOutcome known = guardedOutcome();
		return (known != null) ? known : this.scope.outcome();
	}

	/** {@code null} if no guarded transaction decides that may write. */
	public @Nullable TransactionOutcome guardedOutcome() {
		return (this.guarded != null && this.guarded != AttemptReceipt.READ_ONLY) ? this.guarded.get() : null;
	}

	/** A guarded transaction decides, even a read-only one. */
	public boolean mayHaveWritten() {
		return this.scope.isWritable() && this.guarded != AttemptReceipt.READ_ONLY;
	}

	/** Whether what the target has written was rolled back, whatever it returned. */
	public boolean isRolledBack() {
		return outcome() == TransactionOutcome.ROLLED_BACK && !this.scope.points().isEmpty();
	}

}

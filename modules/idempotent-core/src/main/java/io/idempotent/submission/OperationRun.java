package io.idempotent.submission;

import java.util.function.Supplier;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.submission.Decision.RecoveredResult;
import io.idempotent.submission.receipt.AttemptReceipt;
import io.idempotent.support.TargetInterceptor;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionScope;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** A run of the operation, which its code notifies. */
public final class OperationRun {

	private static final Log logger = LogFactory.getLog(OperationRun.class);

	private final DecidedSubmission decided;

	private volatile boolean begunAfterCommit;

	OperationRun(DecidedSubmission decided) {
		this.decided = decided;
	}

	/**
	 * The call begins. Until its target begins, which it may never do, an open guarded
	 * transaction decides on the operation.
	 * @return is notified when the target begins
	 */
	public TargetInterceptor.TargetListener callBegins() {
		this.decided.joinGuarded(TransactionScope.NONE);
		return this::targetBegins;
	}

	/**
	 * The open transactions decide on the operation. Called again for each retry. Refused
	 * if the claim was lost meanwhile, or the guarded transaction was committed.
	 */
	public void targetBegins() {
		if (this.decided.transactions().guardedOutcome() == TransactionOutcome.COMMITTED) {
			this.begunAfterCommit = true;
			throw this.decided.refuse(this.decided.context().policy().refusalOfDuplicate());
		}
		TransactionScope scope = TransactionScope.current();
		this.decided.within(scope);
		this.decided.begins();
		this.decided.joinGuarded(scope);
	}

	/** Runs a further part, after an earlier part that may have committed. */
	@SuppressWarnings("NullAway") // takes the result of the lambda for non-null
	public <X extends Throwable> @Nullable Object resume(Supplier<@Nullable RecoveredResult> rebuild,
			ThrowingSupplier<@Nullable Object, X> part) throws X {
		return this.decided.observe(() -> execute(rebuild, part));
	}

	/** Runs code, unless the claim is lost. An earlier effect gets its own answer. */
	<X extends Throwable> @Nullable Object execute(Supplier<@Nullable RecoveredResult> rebuild,
			ThrowingSupplier<@Nullable Object, X> work) throws X {
		AttemptReceipt receipt = this.decided.decision().receipt();
		try {
			this.decided.requireClaim();
			Object result = receipt.<@Nullable Object, X>execute(work);
			if (!receipt.hasEarlierEffect()) {
				return result;
			}
		}
		catch (Throwable ex) {
			// It may have met what another attempt has written, such as a unique key.
			if (!this.begunAfterCommit && !receipt.findEarlierEffect()) {
				throw ex;
			}
			logger.debug(this.decided + " failed, but has taken effect before, and gets that answer", ex);
		}
		// Its transaction was rolled back, whether or not the operation has handled that.
		return this.decided.rebuild(rebuild);
	}

	/**
	 * The transactions that decide on an operation: with receipts the guarded one alone.
	 *
	 * @param scope those in which the target of its call began
	 * @param guarded the outcome of the guarded one; {@link AttemptReceipt#READ_ONLY} if
	 * that may not write, {@code null} if there is none
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

		/** It is unknown whether they were committed, and no receipt tells. */
		public boolean isInDoubt() {
			return guardedOutcome() == null && this.scope.outcome() == TransactionOutcome.IN_DOUBT;
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

}

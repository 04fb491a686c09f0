package io.idempotent.submission;

import java.util.function.Function;

import io.idempotent.Refusal;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.observation.SubmissionObservation;
import io.idempotent.store.Outcome;
import io.idempotent.submission.Decision.RecoveredResult;
import io.idempotent.submission.receipt.AttemptReceipt;
import io.idempotent.submission.receipt.OperationReceipts.Proof;
import io.idempotent.support.TargetInterceptor;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionScope;
import org.aopalliance.intercept.MethodInvocation;
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

	@SuppressWarnings({ "try", "NullAway" }) // takes the lambda's result for non-null
	<X extends Throwable> @Nullable Object run(Function<Outcome.@Nullable Stored, @Nullable RecoveredResult> rebuild,
			ThrowingFunction<OperationRun, @Nullable Object, X> work) throws X {
		Decision decision = this.decided.decision();
		try (SubmissionObservation.Scope scope = this.decided.openScope()) {
			return (decision instanceof Decision.Recover || decision.receipt().isCommitted()) ? rebuild(rebuild)
					: execute(rebuild, () -> work.apply(this));
		}
	}

	/**
	 * Calls the method of the invocation. Until it begins, which it may never do, an open
	 * guarded transaction decides on the operation.
	 */
	public @Nullable Object proceed(MethodInvocation invocation) throws Throwable {
		this.decided.joinGuarded(TransactionScope.NONE);
		TargetInterceptor.attach(invocation, this::targetBegins);
		return invocation.proceed();
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
		this.decided.begins(scope);
	}

	/** Runs a further part, after an earlier part that may have committed. */
	@SuppressWarnings("try") // the scope ends with the block
	public <X extends Throwable> @Nullable Object resume(
			Function<Outcome.@Nullable Stored, @Nullable RecoveredResult> rebuild,
			ThrowingSupplier<@Nullable Object, X> part) throws X {
		try (SubmissionObservation.Scope scope = this.decided.openScope()) {
			return execute(rebuild, part);
		}
	}

	/** Runs code, unless the claim is lost. An earlier effect gets its own answer. */
	private <X extends Throwable> @Nullable Object execute(
			Function<Outcome.@Nullable Stored, @Nullable RecoveredResult> rebuild,
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
		return rebuild(rebuild);
	}

	/** The store may have lost the record that shows whether the content is the same. */
	private @Nullable Object rebuild(Function<Outcome.@Nullable Stored, @Nullable RecoveredResult> rebuild) {
		Proof proof = this.decided.proof();
		if (proof.isReused()) {
			throw this.decided.refuseRun(Refusal.KEY_REUSED);
		}
		RecoveredResult answer = rebuild.apply(this.decided.answerOf(proof));
		if (answer == null) {
			throw this.decided.refuseRun(this.decided.context().policy().refusalOfDuplicate());
		}
		this.decided.markRebuilt();
		return answer.value();
	}

	/**
	 * The transactions that decide on an operation: with receipts the guarded one alone.
	 *
	 * @param scope those in which the target of its call began
	 * @param guarded the guarded one, {@code null} if there is none
	 */
	public record DecidingTransactions(TransactionScope scope, TransactionScope.@Nullable Point guarded) {

		static final DecidingTransactions NONE = new DecidingTransactions(TransactionScope.NONE, null);

		public @Nullable TransactionOutcome outcome() {
			TransactionOutcome known = guardedOutcome();
			return (known != null) ? known : this.scope.outcome();
		}

		/** {@code null} if no guarded transaction decides that may write. */
		public @Nullable TransactionOutcome guardedOutcome() {
			return (this.guarded != null && !isReadOnly()) ? this.guarded.outcome() : null;
		}

		private boolean isReadOnly() {
			return this.guarded != null && this.guarded.transaction().isReadOnly();
		}

		/** It is unknown whether they were committed, and no receipt tells. */
		public boolean isInDoubt() {
			return guardedOutcome() == null && this.scope.outcome() == TransactionOutcome.IN_DOUBT;
		}

		/** A guarded transaction decides, even a read-only one. */
		public boolean mayHaveWritten() {
			return this.scope.isWritable() && !isReadOnly();
		}

		/** Whether what the target has written was rolled back, whatever it returned. */
		public boolean isRolledBack() {
			return outcome() == TransactionOutcome.ROLLED_BACK && !this.scope.points().isEmpty();
		}

	}

}

package io.idempotent.method.internal.call;

import java.time.Duration;

import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.submission.DecidedSubmission;
import io.idempotent.submission.Decision;
import io.idempotent.submission.Report;
import io.idempotent.submission.Report.Kind;
import io.idempotent.submission.SubmissionContext;
import io.idempotent.submission.SubmissionOutcome;
import io.idempotent.submission.receipt.AttemptReceipt;
import io.idempotent.support.LockedExecution;
import io.idempotent.support.TargetInterceptor;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionScope;
import org.jspecify.annotations.Nullable;

/**
 * A call that was decided, until its end. Without a claim its end is not recorded, and
 * only a receipt protects it.
 */
public final class CallExecution {

	private final CallOperation operation;

	private final DecidedSubmission decided;

	private volatile Result result = Result.NONE;

	/** As the code ended, whatever became of its transactions. */
	private volatile Report reported = Report.UNKNOWN;

	private volatile boolean repeated;

	CallExecution(CallOperation operation, DecidedSubmission decided) {
		this.operation = operation;
		this.decided = decided;
	}

	CallOperation operation() {
		return this.operation;
	}

	public DecidedSubmission decided() {
		return this.decided;
	}

	OperationKey key() {
		return this.decided.submission().key();
	}

	private Decision decision() {
		return this.decided.decision();
	}

	/** Whether it is neither refused nor answered, so that it must be ended. */
	public boolean mayRun() {
		return !(decision() instanceof Decision.Refused || decision() instanceof Decision.Replay);
	}

	/** The result was rolled back and no longer counts. */
	private void discardResult() {
		this.result = Result.NONE;
		receipt().commitsWith(Outcome.TOMBSTONE);
		if (this.reported.isEffect()) {
			this.reported = Report.effect(Outcome.TOMBSTONE);
		}
	}

	/** While the transaction is open, so that the receipt has the result. */
	private void commitsWith(@Nullable Object value) {
		if (receipt() != AttemptReceipt.NONE) {
			encode(value);
		}
	}

	public void returned(@Nullable Object value) {
		if (this.reported.kind() != Kind.NOT_RUN) {
			encode(value);
			this.reported = Report.effect(this.result.outcome());
		}
	}

	/** A method that returned has succeeded, even if its lock was lost meanwhile. */
	private void executed(@Nullable LockedExecution run) {
		if (run instanceof LockedExecution.Skipped) {
			this.reported = Report.NOT_RUN;
		}
		else if (this.reported.kind() == Kind.NOT_RUN) {
			this.reported = Report.UNKNOWN;
		}
		if (run instanceof LockedExecution.Returned ended) {
			returned(ended.result());
		}
	}

	/** The caller says that it failed, whatever was committed. */
	public void declaredFailed() {
		this.reported = Report.FAILED;
	}

	/** The call was repeated under the same claim, which is ended by the later call. */
	void repeatedBy(CallExecution call) {
		this.repeated = call.decision().claim() == decision().claim();
	}

	private AttemptReceipt receipt() {
		return decision().receipt();
	}

	private boolean isUnprotected() {
		return decision().claim() == null && receipt() == AttemptReceipt.NONE;
	}

	/** Encodes the result once, and stores it with the receipt of an open transaction. */
	private void encode(@Nullable Object value) {
		boolean encoded = value != null && value == this.result.value();
		if (encoded || isUnprotected() || !this.decided.context().storesAnswer()
				|| this.operation.policy().whenCompleted() != WhenCompleted.REPLAY) {
			return;
		}
		Outcome outcome = this.operation.results().encode(value, this.operation.name());
		this.result = new Result(value, outcome);
		receipt().commitsWith(outcome);
	}

	/** Whether a submission with the same key may have the same content. */
	boolean isOf(Fingerprint other) {
		return other.matches(this.decided.submission().fingerprint(), key());
	}

	/**
	 * Decides on a repeat in the same transaction: after a failure or a rollback it runs
	 * under the same claim, otherwise it gets the result. It is refused if its content
	 * differs, or if a commit without a receipt is in doubt.
	 */
	Decision decideRepeat(Fingerprint fingerprint) {
		if (!isOf(fingerprint)) {
			return new Decision.Refused(Refusal.KEY_REUSED);
		}
		if (isUnprotected() || !this.reported.isEffect()) {
			return decision();
		}
		TransactionScope transactions = this.decided.transactions();
		TransactionOutcome guarded = transactions.guardedOutcome();
		if ((guarded != null) ? mayBeUndone(guarded) : transactions.isUndone()) {
			return decision();
		}
		return (guarded == null && transactions.isInDoubt()) ? new Decision.Refused(Refusal.IN_PROGRESS)
				: Decision.completed(this.operation.policy(),
						new ClaimResult.Completed(this.reported.answer(), decision().attempt(), Duration.ZERO, null));
	}

	/** Even if it is in doubt, a repeat may run: its receipt prevents a second effect. */
	private static boolean mayBeUndone(TransactionOutcome guarded) {
		return guarded == TransactionOutcome.ROLLED_BACK || guarded == TransactionOutcome.IN_DOUBT;
	}

	/** Records how the call ended, after its transactions have completed. Only once. */
	void end() {
		if (!this.repeated) {
			this.decided.end(this::observed);
			return;
		}
		if (decision().claim() != null) {
			this.decided.context().endsAs(outcomeBeforeRepeat());
		}
		this.decided.context().endObservation();
	}

	/** What the transactions say of it, which it shares with the later call. */
	private SubmissionOutcome outcomeBeforeRepeat() {
		return switch (observed().kind()) {
			case EFFECT -> SubmissionOutcome.RUN;
			case UNKNOWN -> SubmissionOutcome.LEFT_UNKNOWN;
			default -> receipt().isUnconfirmed() ? SubmissionOutcome.LEFT_UNKNOWN : SubmissionOutcome.RELEASED;
		};
	}

	private Report observed() {
		Report known = this.reported;
		if (known.kind() == Kind.NOT_RUN) {
			return known;
		}
		TransactionScope transactions = this.decided.transactions();
		TransactionOutcome decisive = transactions.outcome();
		if (decisive == TransactionOutcome.ROLLED_BACK) {
			return Report.FAILED;
		}
		if (transactions.isUnknown()) {
			return Report.UNKNOWN;
		}
		if (decisive == TransactionOutcome.IN_DOUBT) {
			receipt().markInDoubt();
			return Report.FAILED;
		}
		if (known.kind() != Kind.UNKNOWN) {
			return known;
		}
		// It threw an exception, but its transaction was committed nevertheless.
		boolean committed = decisive == TransactionOutcome.COMMITTED && transactions.isWritable();
		return (committed && this.decided.hasBegun()) ? Report.effect(receipt().committedOutcome()) : Report.FAILED;
	}

	/**
	 * One invocation of the operation's own code, which may begin several times if an
	 * interceptor in front of it retries. Without pending calls it belongs to an outer
	 * call of the same operation and key, and its result is not recorded.
	 */
	public record Invocation(CallExecution call,
			@Nullable PendingCalls pending) implements TargetInterceptor.TargetListener {

		public SubmissionContext context() {
			return this.call.decided().context();
		}

		@Override
		public void begins() {
			if (this.pending != null) {
				this.call.discardResult();
				this.pending.warnIfAfterCompletion(this.call);
				this.call.decided().targetBegins();
			}
		}

		@Override
		public void returns(@Nullable Object result) {
			if (this.pending != null) {
				this.call.commitsWith(result);
			}
		}

		/** The lock interceptor may have changed the result. */
		public void executed(@Nullable LockedExecution execution) {
			if (this.pending != null) {
				this.call.executed(execution);
			}
		}

	}

	/** A result as it is recorded: as a tombstone if it is not replayed. */
	private record Result(@Nullable Object value, Outcome outcome) {

		private static final Result NONE = new Result(null, Outcome.TOMBSTONE);

	}

}

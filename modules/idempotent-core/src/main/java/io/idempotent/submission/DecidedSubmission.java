package io.idempotent.submission;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.idempotent.IdempotencyEvent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.Outcome;
import io.idempotent.submission.Decision.RecoveredResult;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.SubmissionObserver.SubmissionObservation;
import io.idempotent.submission.receipt.AttemptReceipt;
import io.idempotent.submission.receipt.OperationReceipts.Proof;
import io.idempotent.support.TargetInterceptor;
import io.idempotent.transaction.TransactionObserver;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionScope;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A submission, whichever way it came, from the decision of the gate to its end. Several
 * threads may use it, one after another. The questions in their order:
 * <ol>
 * <li>Who has the claim, is there a receipt, what does the application say? The
 * {@link Decision} is made before, once.
 * <li>Is the claim still held when code begins, and has no other attempt taken effect?
 * Otherwise it does not {@link #run}, or its result is rebuilt.
 * <li>Which transactions decide? Those open when {@linkplain #targetBegins the target of
 * the call begins}.
 * <li>Did they commit, and what is recorded? It {@link #end ends} once, by the
 * {@link Report} of its entrance.
 * </ol>
 */
public final class DecidedSubmission {

	private static final Log logger = LogFactory.getLog(DecidedSubmission.class);

	private final IdempotencyGate.Services services;

	private final SubmissionContext context;

	private final SubmissionObservation observation;

	private final Submission submission;

	private final Decision decision;

	private volatile TransactionScope transactions;

	/** It is unknown how a transaction ended that began in it, and may have written. */
	private volatile boolean inDoubt;

	private volatile Progress progress;

	/** It ends as an {@code earlier} call that it repeats, unless it begins. */
	DecidedSubmission(IdempotencyGate.Services services, SubmissionContext context, SubmissionObservation observation,
			Submission submission, Decision decision, @Nullable DecidedSubmission earlier) {
		this.services = services;
		this.context = context;
		this.observation = observation;
		this.submission = submission;
		this.decision = decision;
		this.progress = (earlier != null && earlier.hasBegun()) ? Progress.BEGUN : Progress.NOT_BEGUN;
		this.transactions = (earlier != null) ? earlier.transactions : TransactionScope.NONE;
	}

	/**
	 * Runs the operation. If it took effect before the claim was granted, or an earlier
	 * run under the same claim failed after its commit, which a retrying caller cannot
	 * know, the answer is rebuilt instead. Refused if there is no answer.
	 * @param rebuild gets the answer that the receipt has, or {@code null}
	 */
	@SuppressWarnings("NullAway") // takes the result of the lambda for non-null
	public <X extends Throwable> @Nullable Object run(
			Function<Outcome.@Nullable Stored, @Nullable RecoveredResult> rebuild,
			ThrowingSupplier<@Nullable Object, X> work) throws X {
		this.progress = this.progress.again();
		boolean done = this.decision instanceof Decision.Recover || this.decision.receipt().isCommitted();
		return observed(() -> done ? rebuild(rebuild) : execute(rebuild, work));
	}

	/** Runs a further part, after an earlier part that may have committed. */
	@SuppressWarnings("NullAway")
	public <X extends Throwable> @Nullable Object resume(
			Function<Outcome.@Nullable Stored, @Nullable RecoveredResult> rebuild,
			ThrowingSupplier<@Nullable Object, X> part) throws X {
		return observed(() -> execute(rebuild, part));
	}

	/** Observes what this thread runs, and its transactions. */
	@SuppressWarnings("try") // the scopes end with the block
	private <X extends Throwable> @Nullable Object observed(ThrowingSupplier<@Nullable Object, X> code) throws X {
		try (SubmissionObservation.Scope scope = this.observation.openScope();
				TransactionObserver.Watch watch = TransactionObserver.watch(() -> this.inDoubt = true)) {
			return code.get();
		}
	}

	/** Runs code, unless the claim is lost. An earlier effect gets its own answer. */
	private <X extends Throwable> @Nullable Object execute(
			Function<Outcome.@Nullable Stored, @Nullable RecoveredResult> rebuild,
			ThrowingSupplier<@Nullable Object, X> work) throws X {
		AttemptReceipt receipt = this.decision.receipt();
		try {
			requireClaim();
			Object result = receipt.<@Nullable Object, X>execute(work);
			if (!receipt.hasEarlierEffect()) {
				return result;
			}
		}
		catch (Throwable ex) {
			// It may have met what another attempt has written, such as a unique key.
			if (this.progress != Progress.BEGUN_AFTER_COMMIT && !receipt.findEarlierEffect()) {
				throw ex;
			}
			logger.debug(this + " failed, but has taken effect before, and gets that answer", ex);
		}
		// Its transaction was rolled back, whether or not the operation has handled that.
		return rebuild(rebuild);
	}

	/** The store may have lost the record that shows whether the content is the same. */
	private @Nullable Object rebuild(Function<Outcome.@Nullable Stored, @Nullable RecoveredResult> rebuild) {
		Proof proof = proof();
		RecoveredResult answer = proof.isReused() ? null : rebuild.apply(proof.answer(this.context.policy()));
		if (answer == null) {
			this.progress = this.progress.refused();
			throw refuse(proof.isReused() ? Refusal.KEY_REUSED : this.context.policy().refusalOfDuplicate());
		}
		markRebuilt();
		return answer.value();
	}

	/** Until the method begins, an open guarded transaction decides on the operation. */
	public @Nullable Object proceed(MethodInvocation invocation) throws Throwable {
		joinGuarded(TransactionScope.NONE);
		TargetInterceptor.attach(invocation, this::targetBegins);
		return invocation.proceed();
	}

	/**
	 * The open transactions decide on the operation. Called again for each retry. Refused
	 * if the claim was lost meanwhile, or the guarded transaction was committed.
	 */
	public void targetBegins() {
		if (this.transactions.guardedOutcome() == TransactionOutcome.COMMITTED) {
			this.progress = Progress.BEGUN_AFTER_COMMIT;
			throw refuse(this.context.policy().refusalOfDuplicate());
		}
		TransactionScope scope = TransactionScope.current();
		within(scope);
		requireClaim();
		this.progress = Progress.BEGUN;
		joinGuarded(scope);
	}

	private void requireClaim() {
		Refusal reason = this.context.renewOrRefuse();
		if (reason != null) {
			logger.warn(this + " does not begin: its lease has ended, and the store does not renew it");
			this.progress = this.progress.refused();
			throw refuse(reason);
		}
		this.progress = this.progress.admitted();
	}

	/** These decide from now on, unless a guarded transaction that was joined does. */
	public synchronized void within(TransactionScope scope) {
		this.transactions = scope.guardedBy(this.transactions.guarded());
	}

	/** A guarded transaction, if one is open, decides alone. */
	private synchronized void joinGuarded(TransactionScope scope) {
		this.transactions = scope.guardedBy(this.decision.receipt().join());
	}

	public boolean hasBegun() {
		return this.progress.hasBegun();
	}

	public TransactionScope transactions() {
		return this.transactions;
	}

	/** What the receipt of any attempt proves; nothing if it cannot be looked up. */
	public Proof proof() {
		return this.services.receipts()
			.find(this.context.policy(), this.submission.key(), this.submission.fingerprint());
	}

	/** It gets the answer of an attempt that took effect. */
	public void markRebuilt() {
		this.progress = Progress.REBUILT;
		this.context.observeThrown(null);
		this.services.listeners()
			.publish(IdempotencyEvent.Type.REPLAYED, this.context.operation(), this.submission.key());
	}

	/** Reports a refusal, to be thrown, unless the decision has reported it. */
	public SubmissionRefusedException refuse(Refusal reason) {
		if (!(this.decision instanceof Decision.Refused)) {
			this.services.listeners().refused(this.context.operation(), this.submission.key(), reason);
		}
		return this.context.policy().exception(reason);
	}

	/** A transaction was rolled back for an earlier effect, which was not rebuilt. */
	public boolean isWithoutAnswer() {
		return this.decision.receipt().hasEarlierEffect() && !isRebuilt();
	}

	public boolean isRebuilt() {
		return this.progress == Progress.REBUILT;
	}

	public void end(Supplier<Report> how) {
		end(how, (report, remembered) -> {
		});
	}

	/**
	 * Ends the claim, if there is one that has not ended, and calls {@code ended} with
	 * the report and with how long it is remembered. Then ends the observation. Without a
	 * claim, an answer without effect withdraws the receipt.
	 */
	@SuppressWarnings("try") // the scope ends with the block
	public void end(Supplier<Report> how, BiConsumer<Report, Duration> ended) {
		Claim claim = this.decision.claim();
		try (SubmissionObservation.Scope scope = this.observation.openScope()) {
			if (claim == null && this.decision.receipt() != AttemptReceipt.NONE) {
				// For the receipt alone: no claim ends.
				conclude(how.get());
			}
			if (claim != null && claim.ended() == null) {
				end(claim, how, ended);
			}
		}
		finally {
			this.context.endObservation();
		}
	}

	private void end(Claim claim, Supplier<Report> how, BiConsumer<Report, Duration> ended) {
		Report report = Report.UNOBSERVED;
		End end = End.UNOBSERVED;
		Duration remembered;
		try {
			report = how.get();
			end = conclude(report);
		}
		finally {
			// Otherwise the claim would be renewed for ever.
			remembered = claim.end(end, this.context.retention());
		}
		End recorded = claim.ended();
		if (recorded != null && recorded.outcome() != null && report.hasAnswer()) {
			this.context.completed();
		}
		ended.accept(report, remembered);
	}

	/** Withdraws the receipt of an answer without effect, and says how a claim ends. */
	private End conclude(Report report) {
		boolean unknown = this.transactions.isUnknown()
				|| (this.decision.receipt() == AttemptReceipt.NONE && this.inDoubt);
		return (unknown ? report.afterDoubtedCommit() : report).toEnd(this.decision, hasBegun(),
				this.progress.isRefused(), this.context.policy().whenFailed());
	}

	SubmissionObservation observation() {
		return this.observation;
	}

	public SubmissionContext context() {
		return this.context;
	}

	public Submission submission() {
		return this.submission;
	}

	public Decision decision() {
		return this.decision;
	}

	@Override
	public String toString() {
		return "Operation '" + this.context.policy().operation() + "' (key " + this.submission.key() + ")";
	}

}

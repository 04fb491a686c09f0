package io.idempotent.submission;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.idempotent.IdempotencyEvent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.observation.SubmissionObservation;
import io.idempotent.store.Outcome;
import io.idempotent.submission.Decision.RecoveredResult;
import io.idempotent.submission.OperationRun.DecidingTransactions;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.receipt.AttemptReceipt;
import io.idempotent.submission.receipt.OperationReceipts.Proof;
import io.idempotent.transaction.TransactionScope;
import io.idempotent.transaction.TransactionWatch;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A submission, whichever way it came, from the decision of the gate to its end. Several
 * threads may use it, one after another. The questions in their order:
 * <ol>
 * <li>Who has the claim, is there a receipt, what does the application say? The
 * {@linkplain Decision decision} never changes.
 * <li>Is the claim still held when code begins, and has no other attempt taken effect?
 * Otherwise it does not {@link #run}, or its result is rebuilt.
 * <li>Which transactions decide? The {@link OperationRun} is told: those open when the
 * target of the call begins.
 * <li>Did they commit, and what is recorded? It {@link #end ends} once, by the
 * {@link Report} of its entrance.
 * </ol>
 */
public final class DecidedSubmission {

	private static final Log logger = LogFactory.getLog(DecidedSubmission.class);

	private final IdempotencyGate.Services services;

	private final SubmissionContext context;

	private final Submission submission;

	private final SubmissionObservation observation;

	private final Decision decision;

	private volatile DecidingTransactions transactions;

	private final TransactionWatch watch = new TransactionWatch();

	/** Code of the operation has begun, in any run of a caller that retries. */
	private volatile boolean begun;

	/** The latest run was refused: its claim was lost, or there is no answer. */
	private volatile boolean refused;

	/** It gets the answer of an attempt that took effect. */
	private volatile boolean rebuilt;

	/** The code of its outcome, unless decision and end imply it. */
	private volatile @Nullable String outcome;

	/** It ends as an {@code earlier} call that it repeats, unless it begins. */
	DecidedSubmission(IdempotencyGate.Services services, SubmissionContext context, Submission submission,
			SubmissionObservation observation, Decision decision, @Nullable DecidedSubmission earlier) {
		this.services = services;
		this.context = context;
		this.submission = submission;
		this.observation = observation;
		this.decision = decision;
		this.begun = earlier != null && earlier.begun;
		this.transactions = (earlier != null) ? earlier.transactions : DecidingTransactions.NONE;
		observation.decided(submission.key(), decision.attempt(), decision.origin());
	}

	/**
	 * Runs the operation. If it took effect before the claim was granted, or an earlier
	 * run under the same claim failed after its commit, which a retrying caller cannot
	 * know, the answer is rebuilt instead. Refused if there is no answer.
	 * @param rebuild gets the answer that the receipt has, or {@code null}
	 */
	public <X extends Throwable> @Nullable Object run(
			Function<Outcome.@Nullable Stored, @Nullable RecoveredResult> rebuild,
			ThrowingFunction<OperationRun, @Nullable Object, X> work) throws X {
		return new OperationRun(this).run(rebuild, work);
	}

	/** Observes what this thread runs, and its transactions. */
	SubmissionObservation.Scope openScope() {
		SubmissionObservation.Scope observed = this.observation.openScope();
		TransactionWatch.Scope watched = this.watch.start();
		return () -> {
			watched.close();
			observed.close();
		};
	}

	void requireClaim() {
		Claim claim = this.decision.claim();
		Refusal reason = (claim != null) ? claim.renewOrRefuse() : null;
		if (reason != null) {
			logger.warn(this + " does not begin: its lease has ended, and the store does not renew it");
			throw refuseRun(reason);
		}
		this.refused = false;
	}

	SubmissionRefusedException refuseRun(Refusal reason) {
		this.refused = true;
		this.rebuilt = false;
		return refuse(reason);
	}

	/** These decide from now on, unless a guarded transaction that was joined does. */
	public synchronized void within(TransactionScope scope) {
		this.transactions = new DecidingTransactions(scope, this.transactions.guarded());
	}

	/** A guarded transaction, if one is open, decides alone. */
	synchronized void joinGuarded(TransactionScope scope) {
		this.transactions = new DecidingTransactions(scope, this.decision.receipt().join());
	}

	/**
	 * Refused if the claim was lost meanwhile: these transactions decide nevertheless.
	 */
	void begins(TransactionScope scope) {
		within(scope);
		requireClaim();
		this.begun = true;
		joinGuarded(scope);
	}

	public boolean hasBegun() {
		return this.begun;
	}

	public DecidingTransactions transactions() {
		return this.transactions;
	}

	/** Asks for the receipt of any attempt; nothing if that fails. */
	Proof proof() {
		return this.services.receipts()
			.find(this.context.policy(), this.submission.key(), this.submission.fingerprint());
	}

	/** The answer that is kept with the receipt of any attempt, if it is replayed. */
	public Outcome.@Nullable Stored committedAnswer() {
		return answerOf(proof());
	}

	Outcome.@Nullable Stored answerOf(Proof proof) {
		return (this.context.policy().whenCompleted() == WhenCompleted.REPLAY
				&& proof.outcome() instanceof Outcome.Stored kept) ? kept : null;
	}

	/** It gets the answer of an attempt that took effect. */
	public void markRebuilt() {
		this.refused = false;
		this.rebuilt = true;
		this.outcome = null;
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

	/**
	 * Whether a transaction was rolled back because the operation had taken effect
	 * before, and the result was not rebuilt.
	 */
	public boolean isWithoutAnswer() {
		return this.decision.receipt().hasEarlierEffect() && !this.rebuilt;
	}

	/** Whether it gets the answer of an attempt that took effect. */
	public boolean isRebuilt() {
		return this.rebuilt;
	}

	public void end(Supplier<Report> how) {
		end(how, (report, remembered) -> {
		});
	}

	/**
	 * Ends the claim, if there is one and it has not ended, then calls {@code ended} with
	 * the report and with how long it is remembered, and then ends the observation.
	 * Without a claim, an answer without effect withdraws the receipt.
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
			endObservation();
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
		boolean inDoubt = this.transactions.isInDoubt()
				|| (this.decision.receipt() == AttemptReceipt.NONE && this.watch.isInDoubt());
		return (inDoubt ? report.inDoubt() : report).conclude(this.decision, this.begun, this.refused,
				this.context.policy().whenFailed());
	}

	/**
	 * A refusal of this operation is the outcome; any other exception, also a refusal of
	 * a nested operation, is an error; {@code null} if an earlier one no longer counts.
	 */
	public void observeThrown(@Nullable Throwable thrown) {
		if (thrown instanceof SubmissionRefusedException refused
				&& refused.operation().equals(this.context.policy().operation())) {
			this.outcome = refused.refusal().code();
		}
		else {
			this.outcome = null;
			this.observation.failed(thrown);
		}
	}

	/** Its outcome differs from what decision and end imply. */
	public void endsAs(SubmissionOutcome other) {
		this.outcome = other.code();
	}

	/** Without effect after the first call. */
	public void endObservation() {
		this.observation.end(outcome());
	}

	String outcome() {
		String known = this.outcome;
		return (known != null) ? known : SubmissionOutcome.codeOf(this.decision, this.rebuilt);
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

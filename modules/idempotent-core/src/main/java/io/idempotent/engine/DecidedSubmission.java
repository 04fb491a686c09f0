package io.idempotent.engine;

import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.End;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.SubmissionObservation;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.engine.receipt.Effect;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.Outcome;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionScope;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A submission, whichever way it came, from the decision of the gate to its end. The
 * questions in their order:
 * <ol>
 * <li>Who has the claim, is there a receipt, what does the application say? The
 * {@linkplain Decision decision} never changes.
 * <li>Is the claim still held when code begins, and has no other attempt taken effect?
 * Otherwise it does not {@link #run}, or its result is rebuilt.
 * <li>Which transactions decide? Those open when the {@linkplain #bodyBegins body
 * begins}.
 * <li>Did they commit, and what is recorded? It {@link #end ends} once.
 * </ol>
 *
 * <p>
 * Several threads may use it, one after another.
 */
public final class DecidedSubmission {

	private static final Log logger = LogFactory.getLog(DecidedSubmission.class);

	private final GateServices services;

	private final OperationPolicy policy;

	private final SubmissionContext context;

	private final Submission submission;

	private final SubmissionObservation observation;

	private final Decision decision;

	/** It gets the answer of an attempt that took effect. */
	private volatile boolean rebuilt;

	/** The transactions in which its body began. */
	private volatile TransactionScope scope = TransactionScope.NONE;

	/** The latest failure, if it is a refusal of this operation. */
	private volatile @Nullable Refusal refusal;

	/** Its outcome, where it is not what decision and end imply. */
	private volatile @Nullable SubmissionOutcome outcome;

	DecidedSubmission(GateServices services, SubmissionContext context, Submission submission,
			SubmissionObservation observation, Decision decision) {
		this.services = services;
		this.policy = context.policy();
		this.context = context;
		this.submission = submission;
		this.observation = observation;
		this.decision = decision;
		context.decided(submission, decision);
		observation.decided(submission.key(), decision.attempt(),
				(decision instanceof Decision.Replay replay) ? replay.origin() : null);
	}

	/**
	 * Runs the operation. If it took effect before the claim was granted, or an earlier
	 * run under the same claim failed after its commit, which a retrying caller cannot
	 * know, the answer is rebuilt instead. Refused if there is no answer.
	 */
	@SuppressWarnings("try") // the scope ends with the block
	public <X extends Throwable> @Nullable Object run(Supplier<@Nullable RecoveredResult> rebuild,
			ThrowingSupplier<@Nullable Object, X> work) throws X {
		boolean tookEffect = this.decision instanceof Decision.Recover || effect().isCommitted();
		try (SubmissionObservation.Scope scope = this.observation.openScope()) {
			return tookEffect ? rebuilt(rebuild) : runOnce(rebuild, work);
		}
	}

	/** Runs a further part, after an earlier part that may have committed. */
	@SuppressWarnings("try") // the scope ends with the block
	public <X extends Throwable> @Nullable Object resume(Supplier<@Nullable RecoveredResult> rebuild,
			ThrowingSupplier<@Nullable Object, X> work) throws X {
		try (SubmissionObservation.Scope scope = this.observation.openScope()) {
			return runOnce(rebuild, work);
		}
	}

	private <X extends Throwable> @Nullable Object runOnce(Supplier<@Nullable RecoveredResult> rebuild,
			ThrowingSupplier<@Nullable Object, X> work) throws X {
		Effect effect = effect();
		try {
			requireClaim();
			Object result = effect.<@Nullable Object, X>execute(work);
			if (!effect.isDuplicate()) {
				return result;
			}
		}
		catch (Throwable ex) {
			// It may have met what another attempt has written, such as a unique key.
			if (!effect.findDuplicate()) {
				throw ex;
			}
			logger.debug(this + " failed, but has taken effect in another attempt, whose answer it gets", ex);
		}
		// Its transaction was rolled back, whether or not the operation has handled that.
		return rebuilt(rebuild);
	}

	private void requireClaim() {
		Claim claim = this.decision.claim();
		Refusal reason = (claim != null) ? claim.refusalOfRun() : null;
		if (reason != null) {
			logger.warn(this + " does not begin: its lease has ended, and the store does not renew it");
			throw refuse(reason);
		}
	}

	/**
	 * The open transactions decide on the operation. Called again for each retry. Refused
	 * if the claim was lost meanwhile.
	 */
	public void bodyBegins() {
		within(TransactionScope.current());
		requireClaim();
		Claim claim = this.decision.claim();
		if (claim != null) {
			claim.bodyBegins();
		}
		effect().decidedByOpenTransaction();
	}

	/** These transactions decide on the operation, until its body begins. */
	public void within(TransactionScope transactions) {
		this.scope = transactions;
	}

	public TransactionScope scope() {
		return this.scope;
	}

	/** Of the transactions that decide: with receipts the guarded one alone. */
	public @Nullable TransactionOutcome transactionOutcome() {
		TransactionOutcome guarded = effect().bodyOutcome();
		return (guarded != null) ? guarded : this.scope.outcome();
	}

	/** Whether what its body has written was rolled back, whatever it returned. */
	public boolean isRolledBack() {
		return transactionOutcome() == TransactionOutcome.ROLLED_BACK && !this.scope.points().isEmpty();
	}

	/** The store may have lost the record that shows whether the content is the same. */
	private @Nullable Object rebuilt(Supplier<@Nullable RecoveredResult> rebuild) {
		if (this.services.receipts().isReused(this.policy, this.submission.key(), this.submission.fingerprint())) {
			throw refuse(Refusal.KEY_REUSED);
		}
		RecoveredResult answer = rebuild.get();
		if (answer == null) {
			setUnanswered(true);
			throw refuse(this.policy.refusalOfDuplicate());
		}
		markRebuilt();
		return answer.value();
	}

	/** It gets the answer of an attempt that took effect. */
	public void markRebuilt() {
		this.rebuilt = true;
		setUnanswered(false);
		endsAs(SubmissionOutcome.RECOVERED);
		this.services.listeners().replayed(this.policy, this.submission.key());
	}

	/**
	 * The answer that is kept with the receipt of any attempt, if it is to be replayed.
	 */
	public Outcome.@Nullable Stored keptAnswer() {
		return (this.policy.whenCompleted() == WhenCompleted.REPLAY && this.services.receipts()
			.find(this.policy, this.submission.key(), this.submission.fingerprint())
			.orElse(null) instanceof Outcome.Stored kept) ? kept : null;
	}

	/** Reports a refusal, to be thrown. */
	public SubmissionRefusedException refuse(Refusal reason) {
		this.services.listeners().refused(this.policy, this.submission.key(), reason);
		return this.policy.refuse(reason);
	}

	/**
	 * Whether a transaction was rolled back because the operation had taken effect
	 * before, and the result was not rebuilt.
	 */
	public boolean isDuplicate() {
		return effect().isDuplicate() && !this.rebuilt;
	}

	private void setUnanswered(boolean value) {
		Claim claim = this.decision.claim();
		if (claim != null) {
			claim.setUnanswered(value);
		}
	}

	/** Whether the operation took effect in any attempt: then it never runs again. */
	public boolean tookEffect() {
		Claim claim = this.decision.claim();
		return claim != null && claim.tookEffect();
	}

	public void end(Supplier<End> how) {
		end(how, (claim, reported) -> {
		});
	}

	/**
	 * Ends the claim, if there is one, then calls {@code ended} with it and with the end
	 * that was reported, and then ends the observation.
	 */
	@SuppressWarnings("try") // the scope ends with the block
	public void end(Supplier<End> how, BiConsumer<Claim, End> ended) {
		Claim claim = this.decision.claim();
		try (SubmissionObservation.Scope scope = this.observation.openScope()) {
			if (claim != null) {
				ended.accept(claim, end(claim, how));
			}
		}
		finally {
			endObservation();
		}
	}

	private End end(Claim claim, Supplier<End> how) {
		try {
			End reported = how.get();
			claim.end(reported, this.context.retention(claim));
			End recorded = claim.ended();
			if (reported.outcome() != null && recorded != null && recorded.outcome() != null) {
				this.context.completed();
			}
			return reported;
		}
		finally {
			// Without effect after an end; otherwise the claim would be renewed for ever.
			claim.end(End.Unanswered.STILL_RUNNING);
		}
	}

	/**
	 * A refusal of this operation is the outcome; any other exception, also a refusal of
	 * a nested operation, is an error; {@code null} if an earlier one no longer counts.
	 */
	public void failed(@Nullable Throwable thrown) {
		this.refusal = (thrown instanceof SubmissionRefusedException refused
				&& refused.operation().equals(this.policy.operation())) ? refused.refusal() : null;
		if (this.refusal == null) {
			this.observation.failed(thrown);
		}
	}

	/** Its outcome differs from what decision and end imply. */
	public void endsAs(SubmissionOutcome other) {
		this.refusal = null;
		this.outcome = other;
	}

	/** Without effect after the first call. */
	public void endObservation() {
		this.observation.end(outcome());
	}

	/** The code of its outcome. */
	public String outcome() {
		Refusal latest = this.refusal;
		if (latest != null) {
			return latest.code();
		}
		SubmissionOutcome known = this.outcome;
		if (known != null) {
			return known.code();
		}
		return (this.decision instanceof Decision.Refused decided) ? decided.reason().code() : implied().code();
	}

	private SubmissionOutcome implied() {
		if (this.decision instanceof Decision.Replay) {
			return SubmissionOutcome.REPLAYED;
		}
		if (this.decision instanceof Decision.RunUnprotected) {
			return SubmissionOutcome.UNPROTECTED;
		}
		Claim claim = this.decision.claim();
		if (claim == null) {
			return SubmissionOutcome.UNDECIDED;
		}
		if (claim.isLostToAnother()) {
			return SubmissionOutcome.CLAIM_LOST;
		}
		End end = claim.ended();
		if (end != null && end.outcome() == null) {
			return (end == End.Unanswered.NO_EFFECT) ? SubmissionOutcome.RELEASED : SubmissionOutcome.LEFT_UNKNOWN;
		}
		if (end instanceof End.RecordedError) {
			return SubmissionOutcome.ERROR_RECORDED;
		}
		return (this.decision instanceof Decision.Run run && run.rerun()) ? SubmissionOutcome.RERUN
				: SubmissionOutcome.RUN;
	}

	public boolean isObserved() {
		return this.observation != SubmissionObservation.NONE;
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

	public Effect effect() {
		return this.decision.effect();
	}

	@Override
	public String toString() {
		return "Operation '" + this.policy.operation() + "' (key " + this.submission.key() + ")";
	}

}

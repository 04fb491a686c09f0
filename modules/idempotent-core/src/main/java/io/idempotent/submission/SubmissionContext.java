package io.idempotent.submission;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.idempotent.IdempotencyContext;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.logging.DurationText;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.SubmissionObserver.SubmissionObservation;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.submission.receipt.AttemptReceipt;
import org.jspecify.annotations.Nullable;

/** The context of one submission, for the operation and the code around it. */
public final class SubmissionContext implements IdempotencyContext {

	private final OperationPolicy policy;

	private volatile @Nullable DecidedSubmission decided;

	/** The code of its outcome, unless decision and end imply it. */
	private volatile @Nullable String outcome;

	private final Map<Object, Object> attributes = new ConcurrentHashMap<>(2);

	private volatile boolean storesAnswer = true;

	private volatile @Nullable Duration retention;

	public SubmissionContext(OperationPolicy policy) {
		this.policy = policy;
	}

	public OperationPolicy policy() {
		return this.policy;
	}

	void decided(DecidedSubmission submission) {
		Decision decision = submission.decision();
		submission.observation().decided(submission.submission().key(), decision.attempt(), decision.origin());
		this.outcome = null;
		this.decided = submission;
	}

	/** {@code null} until the gate has decided. */
	public @Nullable DecidedSubmission decided() {
		return this.decided;
	}

	public boolean storesAnswer() {
		return this.storesAnswer;
	}

	/**
	 * What an extension keeps for this submission, created by the first call. A
	 * {@link CompletionListener} is called at the end.
	 */
	public Object attribute(Object key, Supplier<?> create) {
		return this.attributes.computeIfAbsent(key, (unused) -> create.get());
	}

	void completed() {
		for (Object each : this.attributes.values()) {
			if (each instanceof CompletionListener listener) {
				listener.completed();
			}
		}
	}

	private SubmissionObservation observation() {
		DecidedSubmission known = this.decided;
		return (known != null) ? known.observation() : SubmissionObservation.NONE;
	}

	/**
	 * A refusal of this operation is the outcome; any other exception, also a refusal of
	 * a nested operation, is an error; {@code null} if an earlier one no longer counts.
	 */
	public void observeThrown(@Nullable Throwable thrown) {
		if (thrown instanceof SubmissionRefusedException refused && refused.operation().equals(operation())) {
			this.outcome = refused.refusal().code();
		}
		else {
			this.outcome = null;
			observation().failed(thrown);
		}
	}

	/** Its outcome differs from what decision and end imply. */
	public void endsAs(SubmissionOutcome other) {
		this.outcome = other.code();
	}

	/** Without effect before the decision, and after the first call. */
	public void endObservation() {
		observation().end(outcome());
	}

	String outcome() {
		String known = this.outcome;
		DecidedSubmission submission = this.decided;
		return (known == null && submission != null)
				? SubmissionOutcome.codeOf(submission.decision(), submission.isRebuilt())
				: Objects.requireNonNullElse(known, SubmissionOutcome.UNDECIDED.code());
	}

	/**
	 * It has probably written nothing, although it counts as completed: that it left no
	 * receipt is no reason for a warning. A transaction that still commits leaves one.
	 */
	public void expectNoReceipt() {
		receipt().addGuarded();
	}

	/**
	 * The operation records its effects by itself. Transactions of this attempt leave no
	 * receipt from now on.
	 * @throws IllegalStateException if one has left a receipt, or may have
	 */
	public void leaveNoReceipt() {
		AttemptReceipt receipt = receipt();
		if (receipt.exists() || receipt.isUnconfirmed()) {
			throw new IllegalStateException("Operation '" + operation()
					+ "' has committed a transaction before its first step, or may have, so that a repeat would not "
					+ "run: write in steps only, and mark transactions that only read as readOnly = true");
		}
		receipt.exempt();
	}

	Duration retention() {
		Duration wanted = this.retention;
		return submission().retention((wanted != null) ? wanted : this.policy.retention());
	}

	@Override
	public String operation() {
		return this.policy.operation();
	}

	@Override
	public String key() {
		return submission().key().encoded();
	}

	@Override
	public String derivedKey(String purpose) {
		return submission().key().derive(purpose).encoded();
	}

	@Override
	public int attempt() {
		Decision decision = decision();
		return (decision != null) ? decision.attempt() : 0;
	}

	@Override
	public boolean isReplay() {
		Decision decision = decision();
		return decision instanceof Decision.Replay || decision instanceof Decision.Recover;
	}

	@Override
	public boolean isClaimLost() {
		Claim running = claim();
		return running != null && running.isLost();
	}

	/**
	 * Renews a lease that has ended. Returns why the operation may not do what cannot be
	 * undone; {@code null} if it may.
	 */
	public @Nullable Refusal renewOrRefuse() {
		Claim running = claim();
		return (running != null) ? running.renewOrRefuse() : null;
	}

	private @Nullable Claim claim() {
		Decision decision = decision();
		return (decision != null) ? decision.claim() : null;
	}

	private @Nullable Decision decision() {
		DecidedSubmission known = this.decided;
		return (known != null) ? known.decision() : null;
	}

	@Override
	public <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
		AttemptReceipt receipt = receipt();
		return (receipt != AttemptReceipt.NONE) ? () -> run(receipt, task) : task;
	}

	private AttemptReceipt receipt() {
		Decision decision = decision();
		return (decision != null) ? decision.receipt() : AttemptReceipt.NONE;
	}

	private <T extends @Nullable Object> T run(AttemptReceipt receipt, Callable<T> task) throws Exception {
		Throwable hidden = null;
		try {
			T result = receipt.<T, Exception>execute(() -> {
				receipt.join();
				return task.call();
			});
			if (!receipt.hasEarlierEffect()) {
				return result;
			}
		}
		catch (Throwable ex) {
			if (!receipt.hasEarlierEffect()) {
				throw ex;
			}
			hidden = ex;
		}
		// Its transaction was rolled back, even if the task caught the exception.
		SubmissionRefusedException refused = new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE, operation());
		if (hidden != null) {
			refused.initCause(hidden);
		}
		throw refused;
	}

	@Override
	public void doNotStoreAnswer() {
		this.storesAnswer = false;
	}

	@Override
	public void retainFor(Duration time) {
		if (time.isZero() || time.isNegative()) {
			throw new IllegalArgumentException("An operation cannot be remembered for " + DurationText.of(time)
					+ ": the retention must be positive");
		}
		this.retention = time;
	}

	public Submission submission() {
		DecidedSubmission known = this.decided;
		if (known == null) {
			throw new IllegalStateException("The key of operation '" + operation()
					+ "' is known only inside the call: it depends on the arguments, or on method security. A call that "
					+ "does not meet the condition of the operation has none");
		}
		return known.submission();
	}

	/** An attribute that learns that the operation has ended with an answer. */
	@FunctionalInterface
	public interface CompletionListener {

		/** On the thread that ends it. Must neither block for long nor throw. */
		void completed();

	}

}

package io.idempotent.engine;

import java.time.Duration;
import java.util.concurrent.Callable;

import io.idempotent.IdempotencyContext;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * What an operation and the code around it see of a submission, and what the operation
 * asks for.
 */
public final class SubmissionContext implements IdempotencyContext {

	private final String operation;

	private final IdempotencyGate gate;

	private volatile @Nullable Submission submission;

	private volatile @Nullable Decision decision;

	private volatile boolean storesAnswer = true;

	private volatile boolean rebuilt;

	private volatile @Nullable Duration retention;

	/**
	 * Creates the context of a submission that was not decided yet.
	 * @param operation the name of the operation
	 * @param gate who decides
	 */
	public SubmissionContext(String operation, IdempotencyGate gate) {
		this.operation = operation;
		this.gate = gate;
	}

	/**
	 * The submission was decided.
	 * @param submitted the submission
	 * @param taken what the gate decided
	 */
	public void decided(Submission submitted, Decision taken) {
		this.submission = submitted;
		this.decision = taken;
	}

	/**
	 * The result of the operation was rebuilt.
	 */
	public void isRebuilt() {
		this.rebuilt = true;
	}

	/**
	 * Whether what the run wanted to commit was rolled back, as its effect was there
	 * before, and its result was not rebuilt instead.
	 * @return whether the result at hand, if any, is not that of the operation
	 */
	public boolean isDuplicate() {
		Decision taken = this.decision;
		EffectStatus known = (taken != null) ? taken.effect() : null;
		return known != null && known.isDuplicate() && !this.rebuilt;
	}

	/**
	 * Whether the answer may be stored.
	 * @return whether nobody asked to keep it out
	 */
	public boolean storesAnswer() {
		return this.storesAnswer;
	}

	/**
	 * How long to remember the operation: never shorter than the life of a signed token,
	 * which could be used again after it.
	 * @param running its claim
	 * @return the retention
	 */
	public Duration retention(Claim running) {
		Duration wanted = this.retention;
		if (wanted == null) {
			return running.retention();
		}
		Duration keyLife = submission().keyLife();
		return (wanted.compareTo(keyLife) < 0) ? keyLife : wanted;
	}

	@Override
	public String operation() {
		return this.operation;
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
		Decision taken = this.decision;
		return (taken != null) ? taken.attempt() : 0;
	}

	@Override
	public boolean isReplay() {
		return this.decision instanceof Decision.Replay || this.decision instanceof Decision.Recover;
	}

	@Override
	public boolean isClaimLost() {
		Decision taken = this.decision;
		Claim running = (taken != null) ? taken.claim() : null;
		return running != null && running.isLost();
	}

	@Override
	public <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
		Decision taken = this.decision;
		EffectStatus known = (taken != null) ? taken.effect() : null;
		return (known != null) ? () -> run(known, task) : task;
	}

	private <T extends @Nullable Object> T run(EffectStatus effect, Callable<T> task) throws Exception {
		try {
			T result = this.gate.receipts().<T, Exception>execute(effect, () -> {
				this.gate.receipts().join(effect);
				return task.call();
			});
			if (!effect.isDuplicate()) {
				return result;
			}
		}
		catch (Throwable ex) {
			if (!effect.isDuplicate()) {
				throw ex;
			}
		}
		// Its transaction was rolled back, whether or not the task has handled that.
		throw new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE, this.operation);
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

	/**
	 * What was submitted.
	 * @return the submission
	 * @throws IllegalStateException if it was not decided yet
	 */
	public Submission submission() {
		Submission submitted = this.submission;
		if (submitted == null) {
			throw new IllegalStateException("The key of operation '" + this.operation
					+ "' is known only inside the call: it depends on the arguments, or on method security");
		}
		return submitted;
	}

}

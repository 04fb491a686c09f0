package io.idempotent.web;

import java.time.Duration;

import io.idempotent.IdempotencyContext;
import io.idempotent.store.Claim;
import io.idempotent.store.Submission;
import org.jspecify.annotations.Nullable;

/**
 * What an operation and the code around it see of a submission, and what the operation
 * asks for.
 */
final class SubmissionContext implements IdempotencyContext {

	private final String operation;

	private volatile @Nullable Submission submission;

	private volatile @Nullable Claim claim;

	private volatile int attempt;

	private volatile boolean replay;

	private volatile boolean storesAnswer = true;

	private volatile @Nullable Duration retention;

	SubmissionContext(String operation) {
		this.operation = operation;
	}

	void submitted(Submission submitted) {
		this.submission = submitted;
	}

	void runs(Claim under) {
		this.claim = under;
		this.attempt = under.attempt();
	}

	void replays(int answered) {
		this.replay = true;
		this.attempt = answered;
	}

	boolean storesAnswer() {
		return this.storesAnswer;
	}

	/**
	 * How long to remember the operation: never shorter than the life of a signed token,
	 * which could be used again after it.
	 * @param running its claim
	 * @return the retention
	 */
	Duration retention(Claim running) {
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
		return this.attempt;
	}

	@Override
	public boolean isReplay() {
		return this.replay;
	}

	@Override
	public boolean isClaimLost() {
		Claim running = this.claim;
		return running != null && running.isLost();
	}

	@Override
	public void doNotStoreAnswer() {
		this.storesAnswer = false;
	}

	@Override
	public void retainFor(Duration time) {
		if (time.isZero() || time.isNegative()) {
			throw new IllegalArgumentException(
					"An operation cannot be remembered for " + time + ": the retention must be positive");
		}
		this.retention = time;
	}

	private Submission submission() {
		Submission submitted = this.submission;
		if (submitted == null) {
			throw new IllegalStateException("The key of operation '" + this.operation
					+ "' is known only inside the call: it depends on the arguments, or on method security");
		}
		return submitted;
	}

}

package io.idempotent.observation;

import io.idempotent.engine.SubmissionObserver.Entrance;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a submission that is observed. The outcome is known when the
 * observation stops, the key and the attempt as soon as the gate has decided.
 */
public class SubmissionObservationContext extends Observation.Context {

	private final String operation;

	private final Entrance entrance;

	private volatile @Nullable String outcome;

	private volatile @Nullable String key;

	private volatile int attempt;

	private volatile @Nullable String runTraceparent;

	/**
	 * Creates the context of a submission.
	 * @param operation the name of the operation
	 * @param entrance how it was submitted
	 */
	public SubmissionObservationContext(String operation, Entrance entrance) {
		this.operation = operation;
		this.entrance = entrance;
	}

	/**
	 * The name of the operation.
	 * @return the name, suited for a tag
	 */
	public String getOperation() {
		return this.operation;
	}

	/**
	 * How the operation was submitted.
	 */
	public Entrance getEntrance() {
		return this.entrance;
	}

	/**
	 * The outcome: the code of a {@link io.idempotent.engine.SubmissionOutcome} or of a
	 * {@link io.idempotent.Refusal}.
	 * @return the code, or {@code null} while it is not known
	 */
	public @Nullable String getOutcome() {
		return this.outcome;
	}

	/**
	 * Sets the outcome.
	 * @param outcome its code
	 */
	public void setOutcome(String outcome) {
		this.outcome = outcome;
	}

	/**
	 * The short hash of the operation key, as in the log.
	 * @return the hash, or {@code null} for a submission without a key
	 */
	public @Nullable String getKey() {
		return this.key;
	}

	/**
	 * Sets the short hash of the operation key.
	 * @param key the hash
	 */
	public void setKey(String key) {
		this.key = key;
	}

	/**
	 * The number of the attempt that ran, or whose response was replayed.
	 * @return the number, or 0 if there is none
	 */
	public int getAttempt() {
		return this.attempt;
	}

	/**
	 * Sets the number of the attempt.
	 * @param attempt the number, or 0 if there is none
	 */
	public void setAttempt(int attempt) {
		this.attempt = attempt;
	}

	/**
	 * The trace of the run that made the record, for a replay.
	 * @return its W3C {@code traceparent}, or {@code null} if it is not known
	 */
	public @Nullable String getRunTraceparent() {
		return this.runTraceparent;
	}

	/**
	 * Sets the trace of the run that made the record.
	 * @param traceparent its W3C {@code traceparent}, or {@code null}
	 */
	public void setRunTraceparent(@Nullable String traceparent) {
		this.runTraceparent = traceparent;
	}

}

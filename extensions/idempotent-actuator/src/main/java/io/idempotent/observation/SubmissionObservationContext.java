package io.idempotent.observation;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
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

	public SubmissionObservationContext(String operation, Entrance entrance) {
		this.operation = operation;
		this.entrance = entrance;
	}

	/** The name of the operation, suited for a tag. */
	public String getOperation() {
		return this.operation;
	}

	public Entrance getEntrance() {
		return this.entrance;
	}

	/** The code of a {@code SubmissionOutcome} or {@code Refusal}, if known. */
	public @Nullable String getOutcome() {
		return this.outcome;
	}

	/** The short hash of the operation key, as in the log, if there is a key. */
	public @Nullable String getKey() {
		return this.key;
	}

	/** The number of the attempt that ran, or whose response was replayed, or 0. */
	public int getAttempt() {
		return this.attempt;
	}

	/** The W3C {@code traceparent} of the run that is replayed, if known. */
	public @Nullable String getRunTraceparent() {
		return this.runTraceparent;
	}

	void decided(OperationKey submitted, int number, @Nullable Origin origin) {
		this.key = submitted.toString();
		this.attempt = number;
		this.runTraceparent = (origin != null) ? origin.traceparent() : null;
	}

	void ended(String code) {
		this.outcome = code;
	}

}

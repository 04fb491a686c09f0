package io.idempotent.lock.observation;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.AcquisitionOutcome;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an acquisition that is observed.
 */
public class LockObservationContext extends Observation.Context {

	private final String lock;

	private final String group;

	private final LockMode mode;

	private String engine;

	private @Nullable AcquisitionOutcome outcome;

	/** Creates the context; the engine is the one that is called first. */
	public LockObservationContext(String lock, String group, LockMode mode, String engine) {
		this.lock = lock;
		this.group = group;
		this.mode = mode;
		this.engine = engine;
	}

	/** The name of the lock, which may contain a key and is not suited for a tag. */
	public String getLock() {
		return this.lock;
	}

	/** The name of the lock up to the first colon, suited for a tag. */
	public String getGroup() {
		return this.group;
	}

	/** The mode of the lock. */
	public LockMode getMode() {
		return this.mode;
	}

	/** The engine that has granted the lock, or that is in force. */
	public String getEngine() {
		return this.engine;
	}

	/** How the acquisition ended, or {@code null} while it has not. */
	public @Nullable AcquisitionOutcome getOutcome() {
		return this.outcome;
	}

	void ended(AcquisitionOutcome as, String engineOfLock) {
		this.outcome = as;
		this.engine = engineOfLock;
	}

}

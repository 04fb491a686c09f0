package io.idempotent.steps.internal;

import java.util.List;
import java.util.Optional;

import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * Keeps operations with steps. One attempt at a time may write the steps of an operation:
 * the one that has taken it over last. Each method throws a
 * {@link io.idempotent.store.StoreUnavailableException} if the server does not answer.
 */
interface StepStore {

	/**
	 * Makes an attempt the owner, and returns what earlier ones have begun. Empty if the
	 * operation has begun with another content.
	 * @param arguments with which it can be called again, or {@code null}: if they differ
	 * from the stored ones, it has begun with another content
	 */
	Optional<List<StoredStep>> takeOver(StepAttempt attempt, byte @Nullable [] arguments);

	/** Whether the attempt is still the owner. */
	boolean start(StepAttempt attempt, String name);

	/**
	 * Forgets the start of a step that was not called. Without effect if the attempt is
	 * no longer the owner.
	 */
	void withdraw(StepAttempt attempt, String name);

	/** Whether the attempt is still the owner, of a step that is not done. */
	boolean mayRepeat(StepAttempt attempt, String name);

	/** Whether the attempt is still the owner, of a step that is not done. */
	boolean finish(StepAttempt attempt, String name, byte[] result);

	/**
	 * Without effect if the attempt is no longer the owner, or an operator has confirmed
	 * the step since it was read.
	 * @param tookEffect whether the step did so, without a result that could be used
	 */
	void fail(StepAttempt attempt, StoredStep step, String error, boolean tookEffect);

	/** Tells operators why the attempt is refused. */
	void note(StepAttempt attempt, String reason);

	/** An attempt, as the owner of its operation. */
	record StepAttempt(OperationKey key, String operation, Fingerprint fingerprint, Owner owner, String node) {
	}

}

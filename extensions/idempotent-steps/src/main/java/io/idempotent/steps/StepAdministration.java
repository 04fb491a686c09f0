package io.idempotent.steps;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.idempotent.store.OperationKey;
import org.jspecify.annotations.Nullable;

/**
 * Shows the steps of operations to an operator, and settles interrupted ones. Each method
 * blocks for a few statements, and throws a
 * {@link io.idempotent.store.StoreUnavailableException} if the database does not answer.
 * Safe for use by several threads.
 *
 * <p>
 * A method that changes something returns whether there was such a step or operation;
 * otherwise it has changed nothing. It writes the operator and the reason to the audit
 * log, and throws an {@link IllegalArgumentException} if one of them is blank.
 */
public interface StepAdministration {

	/** Looks up the steps of one operation; empty if none is kept. */
	Optional<OperationWithSteps> find(OperationKey key);

	/**
	 * Lists operations that have reached a step and have not ended, oldest first: they
	 * run now, were interrupted, or have failed. The end of an operation is noticed a
	 * second later.
	 * @param limit how many are returned at most, at least 1
	 */
	List<OperationWithSteps> unfinished(int limit);

	/**
	 * Confirms that an interrupted external step took effect: the next attempt continues
	 * after it. Until one has used the result, it may be confirmed again or repeated.
	 * Look first whether an attempt still runs the step.
	 * @param result the result as JSON of its type, {@code null} for none; if it is of
	 * another type, the next attempt is refused, and the step is interrupted again
	 * @throws IllegalArgumentException if the result is not JSON
	 */
	boolean confirm(OperationKey key, String step, @Nullable String result, String by, String reason);

	/**
	 * Lets the next attempt run an interrupted external step again, without asking its
	 * verifier. Its effect may then happen twice.
	 */
	boolean repeat(OperationKey key, String step, String by, String reason);

	/**
	 * Lets a {@link Resumable} operation that has not ended be called again soon, as
	 * often as a new one, also if it was abandoned.
	 */
	boolean resume(OperationKey key, String by, String reason);

	/**
	 * Ends an operation that cannot or should not be finished: it is not listed any more,
	 * and not called again. Its steps stay: a repeat by its caller still continues.
	 */
	boolean end(OperationKey key, String by, String reason);

	/**
	 * An operation with its steps, in the order in which they began.
	 *
	 * @param attempts how many attempts have reached a step
	 * @param node where the last of them ran
	 * @param startedAt when the first of them reached a step, by the clock of the
	 * database
	 * @param lastAttemptAt when the last of them did
	 * @param endedAt when it ended with an answer; {@code null} if it has not
	 * @param error why its last attempt was refused, or what it has thrown when it was
	 * called again; {@code null} if neither
	 * @param resumption how it is called again; {@code null} if it is not resumable, or
	 * no step of it has taken effect
	 */
	record OperationWithSteps(OperationKey key, String operation, int attempts, String node, Instant startedAt,
			Instant lastAttemptAt, @Nullable Instant endedAt, @Nullable String error, @Nullable Resumption resumption,
			List<Step> steps) {
	}

	/**
	 * How a {@link Resumable} operation is called again.
	 *
	 * @param times how often it was
	 * @param nextAt when it will be; {@code null} if it has ended or was abandoned
	 */
	record Resumption(int times, @Nullable Instant nextAt) {
	}

	/**
	 * A step.
	 *
	 * @param node where it began, or where it ended
	 * @param startedAt when it began, by the clock of the database; for a transactional
	 * step, when it was about to commit
	 * @param doneAt when it was done or confirmed; {@code null} if it was not
	 * @param interrupted whether it is external, and begun but not done: it runs now, or
	 * may be confirmed or repeated
	 * @param error what its call has thrown last; {@code null} if it has not
	 */
	record Step(String name, String node, Instant startedAt, @Nullable Instant doneAt, boolean interrupted,
			@Nullable String error) {
	}

}

package io.idempotent.steps;

import io.idempotent.function.ThrowingConsumer;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.function.ThrowingRunnable;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.steps.StepVerifier.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a running operation. A step that is done is not run again: a repeat of the
 * operation, on any node, gets its stored result, and continues after it. A handler
 * method declares this type as a parameter; other code asks
 * {@link OperationStepsFactory}.
 *
 * <p>
 * A step is found by its name, which is unique within the operation. Code between steps
 * runs in each attempt, and may have no effect of its own. An operation with steps leaves
 * no receipt: its steps take the place of it.
 *
 * <p>
 * Each method blocks for the database. A result is stored as JSON of its type, in at most
 * {@code idempotent.call.max-result} bytes. Safe for use by several threads; each runs a
 * step of another name.
 *
 * <p>
 * Each method throws
 * <ul>
 * <li>what its code throws: the step is not done</li>
 * <li>{@link io.idempotent.SubmissionRefusedException}: {@code in-progress} if another
 * attempt has taken the operation over, {@code outcome-unknown} if nobody can tell
 * whether an interrupted step took effect, or if the code has changed, {@code key-reused}
 * if earlier steps belong to another content, and {@code store-unavailable} if the
 * database does not answer. Let it through</li>
 * <li>{@link IllegalStateException} within a transaction or another step, after a commit
 * outside of a step, and for a name that is used twice</li>
 * <li>{@link IllegalArgumentException} if the name is empty, not printable or longer than
 * {@value #MAX_NAME} characters, or the type or a result cannot be stored</li>
 * </ul>
 */
public interface OperationSteps {

	/** The longest name of a step. */
	int MAX_NAME = 100;

	/**
	 * Runs a step in a transaction of its own on the guarded database. What the step
	 * writes there, its result and the record of the step are committed together, or
	 * rolled back if the step throws. What a transaction of its own within the step has
	 * written ({@code REQUIRES_NEW}) stays.
	 * @param name what the step does, such as {@code "book"}
	 * @param type the type of the result
	 * @return the result of the step, or of its earlier run
	 */
	<T extends @Nullable Object, X extends Throwable> T transactional(String name, Class<T> type,
			ThrowingSupplier<T, X> step) throws X;

	/** As {@link #transactional(String, Class, ThrowingSupplier)}, without a result. */
	@SuppressWarnings("NullAway") // the result of a step without one is null
	default <X extends Throwable> void transactional(String name, ThrowingRunnable<X> step) throws X {
		this.<@Nullable Void, X>transactional(name, Void.class, () -> {
			step.run();
			return null;
		});
	}

	/**
	 * Runs a step that calls another system, which recognizes repeated calls by a key. If
	 * an attempt ends between the call and the record of its result, the next attempt
	 * calls again, with the same key.
	 * @param name what the step does, such as {@code "charge"}
	 * @param type the type of the result
	 * @param call gets the key: 43 characters, the same in each attempt
	 * @return the result of the call, or of the earlier one
	 */
	default <T extends @Nullable Object, X extends Throwable> T external(String name, Class<T> type,
			ThrowingFunction<String, T, X> call) throws X {
		return external(name, type, call, (key) -> new Verdict.DidNotHappen<>());
	}

	/** As {@link #external(String, Class, ThrowingFunction)}, without a result. */
	@SuppressWarnings("NullAway") // the result of a step without one is null
	default <X extends Throwable> void external(String name, ThrowingConsumer<String, X> call) throws X {
		this.<@Nullable Void, X>external(name, Void.class, (key) -> {
			call.accept(key);
			return null;
		});
	}

	/**
	 * Runs a step that calls another system, which does not recognize repeated calls. If
	 * an attempt ends between the call and the record of its result, the next attempt
	 * asks the verifier. A call that throws an exception counts as interrupted too.
	 * @param name what the step does, such as {@code "charge"}
	 * @param type the type of the result
	 * @param call gets the key, by which the verifier may find its effect
	 * @return the result of the call, of an earlier one, or of the verifier
	 */
	<T extends @Nullable Object, X extends Throwable> T external(String name, Class<T> type,
			ThrowingFunction<String, T, X> call, StepVerifier<T> verifier) throws X;

}

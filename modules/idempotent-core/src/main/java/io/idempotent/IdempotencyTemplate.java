package io.idempotent;

import java.lang.reflect.Type;
import java.util.Optional;

import io.idempotent.function.ThrowingConsumer;
import io.idempotent.function.ThrowingFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs code as an {@linkplain Idempotent operation} that takes effect once: as a
 * callback, or between two calls if the code cannot be a callback. Safe for use by
 * several threads.
 *
 * <p>
 * The name of an operation is a constant of the application, never sent by a caller; it
 * is configured by {@code idempotent.operations[<name>].*} and {@code
 * idempotent.defaults.*}. Its key identifies the submission: a text, a number or another
 * simple value by its text, a map, a list or any other object by its content. So a map
 * and an object with the same properties are the same key, in any order. A set has no
 * order: give a sorted list.
 *
 * <p>
 * The promises are those of an {@link Idempotent} method: inside an open transaction the
 * operation is recorded when the transaction has completed, and a call with the same
 * operation and key from within the callback belongs to the same run.
 */
public interface IdempotencyTemplate {

	/**
	 * Runs code once, and answers repeats with its result.
	 * @param <T> the type of the result
	 * @param <X> the type of exception the code throws
	 * @param operation the name of the operation
	 * @param key what tells one operation from another
	 * @param type the type of the result, as which it is stored
	 * @param action the code; it must be done when it returns
	 * @return its result, or an equal one for a repeat
	 * @throws X what the code throws; the next submission runs, or as {@link WhenFailed}
	 * says
	 * @throws SubmissionRefusedException if the code does not run and there is no result
	 * @throws IllegalArgumentException if the type cannot be stored, or the key cannot be
	 * written as JSON
	 */
	default <T extends @Nullable Object, X extends Throwable> T execute(String operation, @Nullable Object key,
			Class<T> type, ThrowingFunction<IdempotencyContext, T, X> action) throws X {
		return execute(operation, key, (Type) type, action);
	}

	/**
	 * Runs code once, for a result of a generic type; otherwise as
	 * {@link #execute(String, Object, Class, ThrowingFunction)}.
	 * @param type the type of the result, as which it is stored; it must be {@code T}
	 */
	<T extends @Nullable Object, X extends Throwable> T execute(String operation, @Nullable Object key, Type type,
			ThrowingFunction<IdempotencyContext, T, X> action) throws X;

	/**
	 * Runs code without a result once; otherwise as
	 * {@link #execute(String, Object, Class, ThrowingFunction)}.
	 * @param task the code; it must be done when it returns
	 */
	@SuppressWarnings("NullAway") // takes the result of the lambda for non-null
	default <X extends Throwable> void executeWithoutResult(String operation, @Nullable Object key,
			ThrowingConsumer<IdempotencyContext, X> task) throws X {
		this.<@Nullable Void, X>execute(operation, key, (Type) Void.class, (context) -> {
			task.accept(context);
			return null;
		});
	}

	/**
	 * Asks whether to run code that cannot be a callback. If the result is
	 * {@link Entry.Proceed}, the caller reports afterwards how the code ended.
	 * @param key what tells one operation from another
	 * @throws SubmissionRefusedException if there is no key
	 * @throws IllegalArgumentException if the key cannot be written as JSON
	 */
	default Entry<@Nullable Void> before(String operation, @Nullable Object key) {
		return before(operation, key, Void.class);
	}

	/**
	 * Asks whether to run code that cannot be a callback and has a result.
	 * @param key what tells one operation from another
	 * @param type the type of the result, as which it is stored
	 * @throws SubmissionRefusedException if there is no key
	 * @throws IllegalArgumentException if the type cannot be stored, or the key cannot be
	 * written as JSON
	 */
	<T extends @Nullable Object> Entry<T> before(String operation, @Nullable Object key, Class<T> type);

	/**
	 * The operation that runs on this thread, of a template or an annotated method, the
	 * innermost if there are several.
	 */
	Optional<IdempotencyContext> current();

	/** Whether to run the code. */
	sealed interface Entry<T extends @Nullable Object> {

		/** It has not been completed: run the code, and end the attempt afterwards. */
		record Proceed<T extends @Nullable Object>(Attempt<T> attempt) implements Entry<T> {
		}

		/**
		 * It has already been completed.
		 *
		 * @param result its result, or {@code null} if there is none or it was not stored
		 */
		record Duplicate<T extends @Nullable Object>(@Nullable T result) implements Entry<T> {
		}

		/**
		 * It must not run: it is running, its outcome is unknown, or the store is
		 * unavailable.
		 */
		record Refused<T extends @Nullable Object>(Refusal reason) implements Entry<T> {
		}

	}

	/**
	 * The right to run code now. It is renewed until it is ended, so always end it: best
	 * in a {@code try} with resources. Only the first call that ends it counts, on any
	 * thread; it is recorded only if this attempt still holds the claim. It cannot be
	 * handed to another process: when this one dies, the lease ends, and the outcome is
	 * unknown.
	 */
	interface Attempt<T extends @Nullable Object> extends AutoCloseable {

		/** The context of the operation. */
		IdempotencyContext context();

		/**
		 * The code took effect, which is recorded for the retention: in an open
		 * transaction of this thread, after the commit.
		 */
		void succeeded(T result);

		/**
		 * The code took no effect: the next submission runs at once, or as
		 * {@link WhenFailed} says.
		 */
		void failed();

		/**
		 * Records that the outcome of the code is unknown, unless the attempt was ended
		 * before: {@link WhenUnknown} decides.
		 */
		@Override
		void close();

	}

}

package io.idempotent.method;

import io.idempotent.IdempotencyContext;
import io.idempotent.support.LockedExecution;
import org.jspecify.annotations.Nullable;

/**
 * What is told by one invocation of an operation's own code. It may begin several times,
 * where something between the call and the code retries.
 */
interface CallBody {

	/**
	 * The operation that it runs for.
	 * @return the context
	 */
	IdempotencyContext context();

	/**
	 * The code begins: what is open now is what decides on it.
	 */
	void begins();

	/**
	 * The code has come to its result, and its transaction is still open.
	 * @param result the result
	 */
	void results(@Nullable Object result);

	/**
	 * What the locks of the invocation know of the code.
	 * @param run what they know, or {@code null} if that is nothing
	 */
	void lockedRun(@Nullable LockedExecution run);

	/**
	 * The body of an invocation that belongs to a run around it: its result is its own.
	 * @param context the context of that run
	 * @return a body that tells nobody
	 */
	static CallBody within(IdempotencyContext context) {
		return new CallBody() {

			@Override
			public IdempotencyContext context() {
				return context;
			}

			@Override
			public void begins() {
			}

			@Override
			public void results(@Nullable Object result) {
			}

			@Override
			public void lockedRun(@Nullable LockedExecution run) {
			}

		};
	}

}

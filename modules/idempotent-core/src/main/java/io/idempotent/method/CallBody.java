package io.idempotent.method;

import io.idempotent.IdempotencyContext;
import io.idempotent.support.LockedExecution;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of one invocation of an operation's own code, the body. The body may begin
 * several times, if an interceptor in front of it retries.
 */
interface CallBody {

	/**
	 * The context of the operation.
	 */
	IdempotencyContext context();

	/**
	 * The body begins: the transactions that are open now decide on it.
	 */
	void begins();

	/**
	 * The body returns, and its transaction is still open.
	 * @param result the result
	 */
	void returns(@Nullable Object result);

	/**
	 * The invocation has ended, and its locks may have changed the result.
	 * @param execution what the locks have noted, or {@code null} if there is nothing
	 */
	void executed(@Nullable LockedExecution execution);

	/**
	 * The body of a call within a call of the same operation and key. Its result is not
	 * recorded.
	 * @param context the context of the outer call
	 * @return a body whose callbacks do nothing
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
			public void returns(@Nullable Object result) {
			}

			@Override
			public void executed(@Nullable LockedExecution execution) {
			}

		};
	}

}

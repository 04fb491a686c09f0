package io.idempotent.method.internal.call;

import io.idempotent.IdempotencyContext;
import io.idempotent.support.LockedExecution;
import org.jspecify.annotations.Nullable;

/**
 * One invocation of an operation's own code, the body. It may begin several times, if an
 * interceptor in front of it retries.
 *
 * @param call the call
 * @param completion decides when the call ends; {@code null} for a call within a call of
 * the same operation and key, whose result is not recorded
 */
public record CallBody(CallExecution call, @Nullable CallCompletion completion) {

	public IdempotencyContext context() {
		return this.call.lifecycle().context();
	}

	/**
	 * The body starts: the transactions that are open now decide on it.
	 */
	public void begins() {
		if (this.completion != null) {
			this.call.discardResult();
			this.completion.bodyBegins(this.call);
			this.call.lifecycle().bodyBegins();
		}
	}

	/**
	 * The body returns, and its transaction is still open.
	 * @param result the result
	 */
	public void returns(@Nullable Object result) {
		if (this.completion != null) {
			this.call.commitsWith(result);
		}
	}

	/**
	 * The invocation has ended. The lock interceptor may have changed the result.
	 * @param execution the report of the lock interceptor, or {@code null} if there is
	 * none
	 */
	public void executed(@Nullable LockedExecution execution) {
		if (this.completion != null) {
			this.call.executed(execution);
		}
	}

}

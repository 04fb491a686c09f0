package io.idempotent.method;

import io.idempotent.store.OperationKey;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the end of a call is recorded: never before its effect has been committed.
 */
public interface CallCompletion {

	/** Records the end at once, for applications without transactions. */
	CallCompletion AT_ONCE = new CallCompletion() {

		@Override
		public void bodyBegins(CallExecution call) {
		}

		@Override
		public void end(CallExecution call) {
			call.end();
		}

		@Override
		public @Nullable CallExecution pending(OperationKey key) {
			return null;
		}

	};

	/**
	 * The body of a call begins: the transactions that are open now decide on it.
	 * @param call the call
	 */
	void bodyBegins(CallExecution call);

	/**
	 * Ends a call, now or when the transactions that decide on it have completed.
	 * @param call a call that has returned or failed
	 */
	void end(CallExecution call);

	/**
	 * Looks for a call that has returned or failed on this thread but is not recorded
	 * yet, because a transaction that it was made in is still open.
	 * @param key the key of the call
	 * @return the call, or {@code null}
	 */
	@Nullable CallExecution pending(OperationKey key);

}

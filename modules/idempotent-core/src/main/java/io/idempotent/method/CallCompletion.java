package io.idempotent.method;

import io.idempotent.store.OperationKey;
import org.jspecify.annotations.Nullable;

/**
 * When the end of a call is recorded. It must not say that the operation is done before
 * its effect has been committed.
 */
public interface CallCompletion {

	/** At once, where nothing knows of transactions. */
	CallCompletion AT_ONCE = new CallCompletion() {

		@Override
		public void begins(CallExecution call) {
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
	void begins(CallExecution call);

	/**
	 * Ends a call, now or when the transactions have completed that decide on it.
	 * @param call a call that has returned or failed
	 */
	void end(CallExecution call);

	/**
	 * Looks for a call that has returned or failed here but was not ended yet, because a
	 * transaction that it was made in is still open here.
	 * @param key the key of the call
	 * @return the call, or {@code null}
	 */
	@Nullable CallExecution pending(OperationKey key);

}

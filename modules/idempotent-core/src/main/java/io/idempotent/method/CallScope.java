package io.idempotent.method;

import io.idempotent.transaction.TransactionOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The transactions in which the body of a call began. They decide on the call.
 */
interface CallScope {

	/** Outside of transactions. */
	CallScope NONE = new CallScope() {

		@Override
		public @Nullable TransactionOutcome outcome() {
			return null;
		}

		@Override
		public boolean isUndone() {
			return false;
		}

		@Override
		public boolean isInDoubt() {
			return false;
		}

		@Override
		public boolean isWritable() {
			return false;
		}

	};

	/**
	 * The outcome of the transactions, from the begin of the body on.
	 * @return the outcome, or {@code null} if there are none
	 */
	@Nullable TransactionOutcome outcome();

	/**
	 * Whether the work of the body was rolled back, even if transactions are still open.
	 * @return whether it was rolled back
	 */
	boolean isUndone();

	/**
	 * Whether the commit of one of them is in doubt, even if others are open.
	 */
	boolean isInDoubt();

	/**
	 * Whether one of them may write.
	 */
	boolean isWritable();

}

package io.idempotent.method;

import io.idempotent.transaction.TransactionOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that the body of a call began in. They decide on it.
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
	 * What became of them, from where the body began.
	 * @return the outcome, or {@code null} if there are none
	 */
	@Nullable TransactionOutcome outcome();

	/**
	 * Whether what the body did was rolled back, though they may go on.
	 * @return whether it was
	 */
	boolean isUndone();

	/**
	 * Whether the commit of one of them is in doubt, though others may go on.
	 * @return whether it is
	 */
	boolean isInDoubt();

	/**
	 * Whether one of them may write.
	 * @return whether one may
	 */
	boolean isWritable();

}

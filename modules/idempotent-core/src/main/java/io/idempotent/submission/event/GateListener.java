package io.idempotent.submission.event;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Ownership;

/**
 * Is notified of all that the state machine does, for metrics. There may be any number of
 * beans of this type. Safe for use by several threads; must neither block nor throw.
 */
public interface GateListener extends IdempotencyListener {

	@Override
	default void onEvent(IdempotencyEvent event) {
	}

	/**
	 * A submission has called the store. The search for a claim whose reply was lost is
	 * not reported.
	 */
	default void onStoreCall(StoreCall call, StoreResult result, long nanos) {
	}

	default void onReceipt(ReceiptEvent event) {
	}

	/** The kind of a call of the store. */
	enum StoreCall {

		CLAIM,

		COMPLETE,

		RENEW,

		RELEASE,

		ISSUE

	}

	/** The result of a call of the store. */
	enum StoreResult {

		GRANTED,

		IN_PROGRESS,

		COMPLETED,

		UNKNOWN,

		/** The key was used for other content. */
		KEY_REUSED,

		/** The key was never issued, or has expired. */
		NOT_ISSUED,

		/** The owner held the claim that it renewed, completed or released. */
		HELD,

		/** The owner did not hold the claim that it renewed, completed or released. */
		LOST,

		ISSUED,

		/** The store did not answer, or refused the call. */
		UNAVAILABLE,

		/** Another failure, such as a record that cannot be read. */
		FAILED;

		static StoreResult of(ClaimResult result) {
			if (result instanceof ClaimResult.Granted) {
				return GRANTED;
			}
			if (result instanceof ClaimResult.InProgress) {
				return IN_PROGRESS;
			}
			if (result instanceof ClaimResult.Completed) {
				return COMPLETED;
			}
			if (result instanceof ClaimResult.Unknown) {
				return UNKNOWN;
			}
			return (result instanceof ClaimResult.KeyReused) ? KEY_REUSED : NOT_ISSUED;
		}

		static StoreResult of(Ownership ownership) {
			return (ownership == Ownership.HELD) ? HELD : LOST;
		}

	}

	/** What happened to a receipt. */
	enum ReceiptEvent {

		WRITTEN,

		/** It already existed, so that another attempt's transaction was rolled back. */
		REFUSED,

		/** It was deleted, because the operation reported that it had no effect. */
		WITHDRAWN,

		/** It decided an outcome that was unknown, or a commit that was in doubt. */
		RESOLVED

	}

}

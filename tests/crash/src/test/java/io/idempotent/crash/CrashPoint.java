package io.idempotent.crash;

import java.util.Locale;

/**
 * A place on the way of a request, in their order.
 */
enum CrashPoint {

	/** The request was read; the store knows nothing of it. */
	BEFORE_CLAIM,

	/** The store has granted the claim; nothing runs yet. */
	AFTER_CLAIM,

	/** The effect is written and not committed. */
	IN_TRANSACTION,

	/** All is written that the transaction will write, a receipt too. */
	BEFORE_COMMIT,

	/** The effect is committed; the method has not returned. */
	AFTER_COMMIT,

	/** The method has returned; the store is about to be told. */
	BEFORE_RECORD,

	/** The store has taken the outcome. */
	AFTER_RECORD,

	/** The answer is complete, and no byte of it has left. */
	BEFORE_RESPONSE;

	String label() {
		return name().toLowerCase(Locale.ROOT).replace('_', ' ');
	}

}

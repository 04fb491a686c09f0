package io.idempotent;

/**
 * Finds out whether an operation whose owner stopped renewing its claim took effect. A
 * bean of the application; {@link WhenUnknown#ASK} needs exactly one.
 *
 * <p>
 * Called by the thread of the submission that found the unknown outcome and has claimed
 * the key, so that it is never called concurrently for one key. It may block; an
 * exception counts as {@link Verdict#CANNOT_TELL}. The former owner may still be alive
 * (paused longer than its lease): the verdict is only as reliable as its source.
 */
@FunctionalInterface
public interface OutcomeVerifier {

	/** Finds out whether an operation took effect. */
	Verdict verify(UnknownOperation operation);

	/**
	 * Whether an operation in doubt took effect.
	 */
	enum Verdict {

		/**
		 * The effect took place: the operation is never run again, and refused as
		 * {@code response-unavailable}.
		 */
		HAPPENED,

		/**
		 * The effect did not take place, and can no longer do so, as if a unique
		 * constraint refuses a late one: the submission runs the operation.
		 */
		DID_NOT_HAPPEN,

		/** Unknown: the submission is refused as {@code outcome-unknown}. */
		CANNOT_TELL

	}

	/**
	 * An operation in doubt.
	 *
	 * @param keyValue the token, header value or content key as the caller sent it; data
	 * from outside
	 * @param attempt the number of the claim of the current submission, at least 2
	 */
	record UnknownOperation(String operation, String keyValue, int attempt) {
	}

}

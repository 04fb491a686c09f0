package io.idempotent;

/**
 * Says whether an operation whose owner stopped renewing its claim took effect. A bean of
 * the application; {@link WhenUnknown#ASK} needs exactly one.
 *
 * <p>
 * Called by the thread of the submission that met the unknown outcome, under a claim of
 * its own, so that never two of them ask about one key at the same time. It may block; an
 * exception counts as {@link Verdict#CANNOT_TELL}. The former owner may still be alive
 * (paused longer than its lease): a verdict is as good as what it looks at.
 */
@FunctionalInterface
public interface OutcomeVerifier {

	/**
	 * Looks for the effect of an operation.
	 * @param operation the operation in doubt
	 * @return what is known of it
	 */
	Verdict verify(UnknownOperation operation);

	/**
	 * What is known of an operation in doubt.
	 */
	enum Verdict {

		/**
		 * The effect took place: never run again, answered as
		 * {@code response-unavailable}.
		 */
		HAPPENED,

		/**
		 * The effect did not take place: the submission runs the operation.
		 */
		DID_NOT_HAPPEN,

		/**
		 * Unknown: answered as {@code outcome-unknown}.
		 */
		CANNOT_TELL

	}

	/**
	 * An operation in doubt.
	 *
	 * @param operation the name of the operation
	 * @param keyValue the token, header value or content key as the caller sent it; data
	 * from outside
	 * @param attempt the number of the claim under which the question is asked, at least
	 * 2
	 */
	record UnknownOperation(String operation, String keyValue, int attempt) {
	}

}

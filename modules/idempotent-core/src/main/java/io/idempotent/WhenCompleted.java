package io.idempotent;

/**
 * What a duplicate of a finished operation gets.
 */
public enum WhenCompleted {

	/** As {@code idempotent.defaults.when-completed} says, which is never DEFAULT. */
	DEFAULT,

	/**
	 * The first answer again. Costs a second round trip on the first submission, which
	 * stores the answer.
	 */
	REPLAY,

	/**
	 * 409 {@code duplicate}. A crash in the middle is still reported as an unknown
	 * outcome, which costs a second round trip on the first submission.
	 */
	REJECT,

	/**
	 * 409 {@code duplicate}, with the key burnt by the claim itself: one round trip for
	 * the first submission. A crash in the middle counts as completed, so that
	 * {@link WhenUnknown} never applies. An answer that reports no effect releases the
	 * key, and so does a failure unless {@link WhenFailed} says otherwise.
	 */
	BURN

}

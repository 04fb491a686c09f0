package io.idempotent.crash;

/**
 * What happens to an operation in a profile sweep.
 */
enum ProfileStep {

	/** It is submitted. */
	SUBMIT,

	/** It is submitted, and the reply to its COMMIT is lost. */
	REPLY_LOST,

	/** It is submitted, and its COMMIT arrives late. */
	LATE,

	/** It is submitted, and its COMMIT never arrives. */
	LOST,

	/** It is submitted, and declines with a 402 if it runs. */
	DECLINED,

	/**
	 * It is submitted and commits; before it answers, Redis is flushed and it is
	 * submitted again.
	 */
	SLOW,

	/** A COMMIT that is on its way arrives. */
	DELIVER,

	/** Redis loses everything. */
	FLUSH

}

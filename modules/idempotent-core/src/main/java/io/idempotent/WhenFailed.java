package io.idempotent;

/**
 * What happens to the claim when the operation throws or answers 5xx.
 */
public enum WhenFailed {

	/** As {@code idempotent.defaults.when-failed} says, which is never DEFAULT. */
	DEFAULT,

	/** No effect took place: the next submission runs at once. */
	RELEASE,

	/** The outcome is unknown from now on, and {@link WhenUnknown} decides. */
	UNKNOWN

}

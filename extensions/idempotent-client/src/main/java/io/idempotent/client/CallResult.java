package io.idempotent.client;

/**
 * The result of one attempt.
 */
public enum CallResult {

	/** A response for the caller, not marked as a repetition. */
	RESPONSE,

	/** A response that the peer marked as a repetition of an earlier one. */
	REPLAY,

	/** 409: the first submission of this key is still running. */
	IN_PROGRESS,

	/** A status such as 503, after which the call is repeated. */
	UNAVAILABLE,

	/** No complete response: the connection failed or timed out. */
	CONNECTION_FAILED;

	boolean isFinal() {
		return this == RESPONSE || this == REPLAY;
	}

}

package io.idempotent.redis;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A command that has certainly changed nothing in Redis.
 */
final class CommandNotExecutedException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final Why why;

	CommandNotExecutedException(Why why, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.why = why;
	}

	Why why() {
		return this.why;
	}

	/**
	 * Why it was not done.
	 */
	enum Why {

		/** It was held back, because Redis did not answer others. */
		NOT_ASKED,

		/** There was no connection to send it over. */
		NOT_CONNECTED,

		/** Redis answered with an error. */
		REFUSED

	}

}

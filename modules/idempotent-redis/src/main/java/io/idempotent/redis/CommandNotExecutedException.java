package io.idempotent.redis;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/** A command was not executed: it certainly changed nothing in Redis. */
final class CommandNotExecutedException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final Reason reason;

	CommandNotExecutedException(Reason reason, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.reason = reason;
	}

	Reason reason() {
		return this.reason;
	}

	/** Why the command was not executed. */
	enum Reason {

		/** It was not sent, because Redis did not answer other commands. */
		NOT_SENT,

		/** There was no connection. */
		NOT_CONNECTED,

		/** Redis answered with an error. */
		REFUSED

	}

}

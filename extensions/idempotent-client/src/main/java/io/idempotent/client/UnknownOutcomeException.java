package io.idempotent.client;

import org.jspecify.annotations.Nullable;

/**
 * Reports that a call has failed and is not repeated, because the peer may have forgotten
 * its key: whether the call took effect is unknown, and a repeat might take effect again.
 * The cause, if there is one, is the failure of the last attempt.
 */
public final class UnknownOutcomeException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnknownOutcomeException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

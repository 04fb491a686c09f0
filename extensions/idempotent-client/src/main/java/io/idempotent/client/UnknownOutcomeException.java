package io.idempotent.client;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Reports that a call has failed and is not repeated, because the peer may have forgotten
 * its key: whether the call took effect is unknown, and a repeat might take effect again.
 * The cause, if there is one, is the failure of the last attempt.
 *
 * <p>
 * A {@code RestClient} or {@code RestTemplate} wraps it in a
 * {@code ResourceAccessException}, a {@code WebClient} in a
 * {@code WebClientRequestException}.
 */
public final class UnknownOutcomeException extends IOException {

	private static final long serialVersionUID = 1L;

	UnknownOutcomeException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

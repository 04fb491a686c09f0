package io.idempotent.store;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * The store could not be reached, refused the write or did not answer in time. The call
 * may or may not have taken effect.
 */
public class StoreUnavailableException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what was asked of which store, and what to look at
	 * @param cause what the store's client said
	 */
	public StoreUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

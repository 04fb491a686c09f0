package io.idempotent.store;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * The store could not be reached, refused the write or did not answer in time. The call
 * may or may not have taken effect, unless {@link #mayHaveTakenEffect()} says that it has
 * not.
 */
public class StoreUnavailableException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final boolean effectPossible;

	/**
	 * Creates the exception for a call that may have taken effect.
	 * @param message the call, the store and what to check
	 * @param cause the exception of the store's client
	 */
	public StoreUnavailableException(String message, @Nullable Throwable cause) {
		this(message, cause, true);
	}

	private StoreUnavailableException(String message, @Nullable Throwable cause, boolean effectPossible) {
		super(message, cause);
		this.effectPossible = effectPossible;
	}

	/**
	 * Creates the exception for a call that certainly took no effect.
	 * @param message the call, the store and what to check
	 * @param cause the exception of the store's client
	 */
	public static StoreUnavailableException withoutEffect(String message, @Nullable Throwable cause) {
		return new StoreUnavailableException(message, cause, false);
	}

	/**
	 * Whether the call may have taken effect; {@code false} if it certainly took none: it
	 * was not sent, or refused.
	 */
	public boolean mayHaveTakenEffect() {
		return this.effectPossible;
	}

}

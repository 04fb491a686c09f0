package io.idempotent.store;

import java.io.Serial;

/**
 * A record is corrupt or was written by a newer version of this library. Nothing was
 * changed, and the operation must not run, since its state is unknown.
 */
public class UnreadableRecordException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message the record, what is wrong with it, and what to do
	 */
	public UnreadableRecordException(String message) {
		super(message);
	}

}

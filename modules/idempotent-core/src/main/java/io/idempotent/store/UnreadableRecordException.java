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

	/**
	 * Creates the exception for the record of an operation.
	 * @param store where it is
	 * @param defect what is wrong with it
	 * @param expiry when it expires
	 */
	public static UnreadableRecordException of(OperationKey key, String store, String defect, String expiry) {
		return new UnreadableRecordException("The record of operation " + key + " in " + store + " cannot be read: "
				+ defect + ". Whether the operation took effect is unknown, so it does not run, and the record stays "
				+ "as it is. Use a version of this library that can read the format, or wait until the record expires ("
				+ expiry + ")");
	}

}

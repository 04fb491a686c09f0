package io.idempotent.store;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * Who holds a claim: 128 random bits, drawn for each submission.
 *
 * @param high the upper half
 * @param low the lower half
 */
public record Owner(long high, long low) {

	/** The length of an owner in bytes. */
	public static final int LENGTH = 2 * Long.BYTES;

	/**
	 * Draws a new owner.
	 * @param random the source of randomness
	 * @return an owner that nobody else has
	 */
	public static Owner draw(SecureRandom random) {
		byte[] bytes = new byte[LENGTH];
		random.nextBytes(bytes);
		return of(bytes);
	}

	/**
	 * The owner of given bytes.
	 * @param bytes what {@link #bytes()} has given
	 * @return the owner
	 */
	public static Owner of(byte[] bytes) {
		ByteBuffer buffer = ByteBuffer.wrap(bytes);
		return new Owner(buffer.getLong(), buffer.getLong());
	}

	/**
	 * The owner's bytes.
	 * @return {@value #LENGTH} bytes
	 */
	public byte[] bytes() {
		return ByteBuffer.allocate(LENGTH).putLong(this.high).putLong(this.low).array();
	}

}

package io.idempotent.store;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** The owner of a claim: 128 random bits for each submission. */
public record Owner(long high, long low) {

	/** The length of an owner in bytes. */
	public static final int LENGTH = 2 * Long.BYTES;

	/** Creates a random owner, which is unique. */
	public static Owner draw(SecureRandom random) {
		byte[] bytes = new byte[LENGTH];
		random.nextBytes(bytes);
		return of(bytes);
	}

	/** Creates an owner from the result of {@link #bytes()}. */
	public static Owner of(byte[] bytes) {
		ByteBuffer buffer = ByteBuffer.wrap(bytes);
		return new Owner(buffer.getLong(), buffer.getLong());
	}

	/** The owner as {@value #LENGTH} bytes. */
	public byte[] bytes() {
		return ByteBuffer.allocate(LENGTH).putLong(this.high).putLong(this.low).array();
	}

}

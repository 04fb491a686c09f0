package io.idempotent.lock.jdbc;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Creates the ids that owners of rows, and threads that wait for rows, are known by in
 * the table.
 */
final class OwnerIds {

	private static final int BYTES = 16;

	private final SecureRandom random = new SecureRandom();

	/**
	 * Creates an id that nobody can guess.
	 * @return 32 hexadecimal digits
	 */
	String next() {
		byte[] bytes = new byte[BYTES];
		this.random.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

}

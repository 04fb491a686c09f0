package io.idempotent.lock.jdbc;

import java.security.SecureRandom;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * Creates the ids in the table of owners and waiting threads.
 */
final class OwnerIds {

	private static final int BYTES = 16;

	private final SecureRandom random = new SecureRandom();

	private final String suffix;

	/**
	 * Creates the ids of one node.
	 * @param node the name of this node, or an empty text
	 */
	OwnerIds(String node) {
		this.suffix = node.isEmpty() ? "" : ":" + node;
	}

	/**
	 * Creates an id that cannot be guessed.
	 * @return 32 hexadecimal digits, and the name of this node
	 */
	String next() {
		byte[] bytes = new byte[BYTES];
		this.random.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes) + this.suffix;
	}

	/**
	 * Whether an id was created by this node.
	 * @param id the id
	 * @return whether it was, or {@code null} if the id does not show it
	 */
	@Nullable Boolean isOfThisNode(@Nullable String id) {
		String node = node(id);
		return (node != null && !this.suffix.isEmpty()) ? this.suffix.equals(":" + node) : null;
	}

	/**
	 * The name of the node that has created an id.
	 * @param id the id
	 * @return the name, or {@code null} if the id does not contain it
	 */
	static @Nullable String node(@Nullable String id) {
		return (id != null && id.length() > 2 * BYTES + 1) ? id.substring(2 * BYTES + 1) : null;
	}

}

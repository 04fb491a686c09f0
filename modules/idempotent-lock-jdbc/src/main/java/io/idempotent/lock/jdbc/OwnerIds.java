package io.idempotent.lock.jdbc;

import java.security.SecureRandom;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/** Creates the ids in the table of owners and waiting threads. */
final class OwnerIds {

	private static final int BYTES = 16;

	private final SecureRandom random = new SecureRandom();

	private final String suffix;

	/** The name of this node may be empty. */
	OwnerIds(String node) {
		this.suffix = node.isEmpty() ? "" : ":" + node;
	}

	/** 32 hexadecimal digits that cannot be guessed, and the name of this node. */
	String next() {
		byte[] bytes = new byte[BYTES];
		this.random.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes) + this.suffix;
	}

	/** Null if the id does not show it. */
	@Nullable Boolean isOfThisNode(@Nullable String id) {
		String node = node(id);
		return (node != null && !this.suffix.isEmpty()) ? this.suffix.equals(":" + node) : null;
	}

	/** Null if the id does not contain the name. */
	static @Nullable String node(@Nullable String id) {
		return (id != null && id.length() > 2 * BYTES + 1) ? id.substring(2 * BYTES + 1) : null;
	}

}

package io.idempotent.lock.redisson;

import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Creates and reads the ids of owners. Each starts with the ids of a client and of a
 * thread, as Redisson's own do; the thread id is a negative number that no thread has.
 * The name of the node follows.
 */
final class RedisOwners {

	/** Follows the id of an owner that keeps the lock taken after its release. */
	private static final String KEPT = ":kept";

	private final String prefix;

	private final String suffix;

	/**
	 * Creates the ids of one client.
	 * @param clientId the id of the client
	 * @param node the name of this node, or an empty text
	 */
	RedisOwners(String clientId, String node) {
		this.prefix = clientId + ":";
		this.suffix = node.isEmpty() ? "" : ":" + node;
	}

	String next() {
		return this.prefix + (ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE) + this.suffix;
	}

	/**
	 * Whether an owner is one of this client.
	 * @param owner the owner
	 */
	boolean isOfThisClient(String owner) {
		return owner.startsWith(this.prefix);
	}

	/**
	 * Whether an owner was created by this engine on any node, and not by Redisson's own
	 * lock.
	 * @param owner the owner
	 * @return whether its grant has raised the token
	 */
	static boolean hasToken(String owner) {
		return owner.startsWith("-", owner.indexOf(':') + 1);
	}

	/**
	 * The name of the node of an owner.
	 * @param owner the owner
	 * @return the name, or {@code null} if the id does not contain it
	 */
	static @Nullable String node(String owner) {
		String id = owner.endsWith(KEPT) ? owner.substring(0, owner.length() - KEPT.length()) : owner;
		int node = id.indexOf(':', id.indexOf(':') + 1) + 1;
		return (node > 0) ? id.substring(node) : null;
	}

}

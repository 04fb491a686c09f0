package io.idempotent.lock.quorum;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/** Ids of owners: a random part for this engine, the attempt's number, and the node. */
final class QuorumOwners {

	/** Follows the id of an owner that keeps the lock taken after its release. */
	private static final String KEPT = ":kept";

	private final String prefix = UUID.randomUUID() + ":";

	private final AtomicLong attempts = new AtomicLong();

	private final String suffix;

	QuorumOwners(String node) {
		this.suffix = node.isEmpty() ? "" : ":" + node;
	}

	String next() {
		return this.prefix + this.attempts.incrementAndGet() + this.suffix;
	}

	boolean isOfThisEngine(String owner) {
		return owner.startsWith(this.prefix);
	}

	/** The name of an owner's node, or {@code null} if the id does not contain it. */
	static @Nullable String node(String owner) {
		String id = owner.endsWith(KEPT) ? owner.substring(0, owner.length() - KEPT.length()) : owner;
		int node = id.indexOf(':', id.indexOf(':') + 1) + 1;
		return (node > 0) ? id.substring(node) : null;
	}

}

package io.idempotent.lock.engine;

import java.time.Duration;

import io.idempotent.lock.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * A holder of a lock, as its engine knows it. What the engine does not know is
 * {@code null}.
 *
 * @param owner the unique id of the grant at the engine
 * @param node the name of the node
 * @param thisNode whether it is the node that asked
 * @param mode whether it shares the lock with other readers
 * @param token the fencing token of the grant
 * @param leaseLeft how long the lease is valid without renewal, by the clock of the
 * engine
 */
public record LockHolder(@Nullable String owner, @Nullable String node, @Nullable Boolean thisNode, LockMode mode,
		@Nullable Long token, @Nullable Duration leaseLeft) {

	/** This holder with another token. */
	public LockHolder withToken(@Nullable Long token) {
		return new LockHolder(this.owner, this.node, this.thisNode, this.mode, token, this.leaseLeft);
	}

}

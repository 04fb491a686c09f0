package io.idempotent.lock.engine;

import java.time.Duration;

import io.idempotent.lock.LockUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * A lock that was granted. Its methods block until the engine has answered, may be called
 * by any thread, interrupted or not, and may be repeated.
 */
public interface LockGrant {

	/**
	 * The fencing token, taken with the grant: strictly greater than that of every
	 * earlier grant of the same name, and never read again.
	 * @return the token
	 */
	long token();

	/**
	 * How long the grant lives without renewal.
	 * @return the lease, or {@code null} if it lives until it is released or this JVM is
	 * gone
	 */
	@Nullable Duration lease();

	/**
	 * Lets the lease start again.
	 * @param lease how long it lives from now; an engine with leases of its own ignores
	 * it
	 * @return whether the grant still stands
	 * @throws LockUnavailableException if the engine cannot be asked
	 */
	Standing renew(Duration lease);

	/**
	 * Gives the lock back.
	 * @param keepFor how long the lock stays taken all the same; zero frees it at once
	 * @return whether the grant stood until now; if not, nothing was changed. A repeated
	 * release whose first call went through unheard finds itself {@link Standing#LOST}
	 * @throws LockUnavailableException if the engine cannot be asked
	 */
	Standing release(Duration keepFor);

	/**
	 * What has become of a grant.
	 */
	enum Standing {

		/** It stands. */
		HELD,

		/** It is over, and somebody else may have the lock. */
		LOST

	}

}

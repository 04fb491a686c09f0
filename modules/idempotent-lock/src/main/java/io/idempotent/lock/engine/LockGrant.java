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
	 * Whether the grant still stands as far as this JVM knows; asks nobody. Only a grant
	 * that can end by other means than its lease, such as a transaction that it is bound
	 * to, has something to say.
	 * @return {@code false} if it is known to be over
	 */
	default boolean stands() {
		return true;
	}

	/**
	 * Tells when the grant ends together with what it is bound to, such as a transaction
	 * that completes. Called once, by the thread that was granted the lock, before that
	 * goes on.
	 * @param action what is to be done then; it throws nothing and is quick
	 */
	default void whenEnded(Runnable action) {
	}

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
	 * Gives the lock to somebody else in this JVM in one step, so that nobody can have it
	 * in between: this grant ends, and another one begins, with an owner and a token of
	 * its own. Like a release it is never repeated once it was answered.
	 * @param next what the next holder asks for: the same name, on the same engine
	 * @return the next grant; or {@code null} if nothing was changed, since this grant no
	 * longer stood, or since the engine cannot do it: then a release tells which
	 * @throws LockUnavailableException if the engine cannot be asked: then this grant may
	 * have ended or not, and the next holder has nothing, or nothing for longer than the
	 * lease that was asked for
	 */
	default @Nullable LockGrant handOff(LockRequest next) {
		return null;
	}

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

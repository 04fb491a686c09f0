package io.idempotent.lock.engine;

import java.time.Duration;

import io.idempotent.lock.LockUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * A lock that was granted. Its methods block until the engine has responded. Any thread,
 * interrupted or not, may call them, also repeatedly.
 */
public interface LockGrant {

	/**
	 * The fencing token, taken with the grant: strictly greater than that of every
	 * earlier grant of the same name, and never read again; 0 if the grant is shared.
	 */
	long token();

	/**
	 * How long the grant is valid without renewal; {@link LockEngine#FOREVER} if it is
	 * valid until it is released or this JVM ends.
	 */
	Duration lease();

	/**
	 * Whether the grant is still valid as far as this JVM knows, without asking the
	 * engine. Only a grant that can end by other means than its lease, such as with a
	 * transaction that it is bound to, overrides this.
	 */
	default boolean isValid() {
		return true;
	}

	/**
	 * How long the grant is valid at most, however often its lease is renewed, by the
	 * clock of this JVM. It may be extended, and end early.
	 * @param now the time by {@link System#nanoTime()}
	 * @return the time in nanoseconds, 0 if it is over; {@link Long#MAX_VALUE} if nothing
	 * but the lease limits it
	 */
	default long nanosLeft(long now) {
		return Long.MAX_VALUE;
	}

	/** This grant, or the one that it is made of: see {@link LockEngine#engines()}. */
	default LockGrant origin() {
		return this;
	}

	/**
	 * Registers an action for the end of what the {@linkplain #origin() original} grant
	 * is bound to, such as the completion of a transaction. Called once, by the thread
	 * that acquired the lock, right after the grant.
	 * @param action releases the lock; throws nothing and is quick
	 */
	default void whenEnded(Runnable action) {
	}

	/**
	 * Renews the lease.
	 * @param lease how long it is valid from now; ignored by an engine that determines
	 * leases itself
	 * @return whether the grant is still valid
	 * @throws LockUnavailableException if the engine cannot be asked
	 */
	GrantState renew(Duration lease);

	/**
	 * No lock depends on the grant any more: it is lost, although code may still run, or
	 * it is going to be released. Called once or more often, first before
	 * {@link #release} and {@link #handOff}. Returns at once.
	 */
	default void abandoned() {
	}

	/**
	 * Releases the lock.
	 * @param stayLocked how long the lock stays locked from now; zero frees it at once
	 * @return whether the grant was valid until now; if not, nothing was changed. If a
	 * release took effect but its response was lost, a repeated release returns
	 * {@link GrantState#LOST}
	 * @throws LockUnavailableException if the engine cannot be asked
	 */
	GrantState release(Duration stayLocked);

	/**
	 * Hands the lock over to another thread of this JVM atomically, so that no other node
	 * can acquire it in between: this grant ends, and another one starts, with its own
	 * owner and token. Like a release, it is not repeated after a response. Never called
	 * for an engine that {@linkplain LockEngine#queuesWaiters() queues waiters}.
	 * @param next the request of the next holder: the same name, on the same engine
	 * @return the next grant; or {@code null} if nothing was changed, since this grant
	 * was no longer valid, or since the engine does not support it. A release shows which
	 * @throws LockUnavailableException if the engine cannot be asked. Then this grant may
	 * have ended or not, and the next holder does not have the lock, or has taken it for
	 * the requested lease at most
	 */
	default @Nullable LockGrant handOff(LockRequest next) {
		return null;
	}

	/** The state of a grant. */
	enum GrantState {

		/** The grant is valid. */
		HELD,

		/** The grant has ended, and another holder may have the lock. */
		LOST;

		/** Returns the state of a grant that is held, or is not held any more. */
		public static GrantState of(boolean held) {
			return held ? HELD : LOST;
		}

	}

}

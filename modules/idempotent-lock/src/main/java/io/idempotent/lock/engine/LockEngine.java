package io.idempotent.lock.engine;

import java.time.Duration;

import io.idempotent.lock.LockUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Grants locks: atomic primitives, no decisions. Re-entry, waiting within this JVM,
 * leases and renewal are above it, so an engine is asked by at most one thread of a JVM
 * for the same name at a time, and never by one that holds it already. One that keeps a
 * line is asked by one more thread while another one holds the lock.
 *
 * <p>
 * Every grant has an owner of its own, known to nobody else: what is done late or twice
 * in the name of one grant never touches another, even of the same thread. Safe for use
 * by many threads.
 */
public interface LockEngine extends AutoCloseable {

	/** As long as it takes. */
	Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

	/**
	 * The name that configuration and events know it by.
	 * @return the name
	 */
	String name();

	/**
	 * Takes a lock.
	 * @param request what is asked
	 * @param wait how long to wait for a holder: zero asks once, {@link #FOREVER} does
	 * not end
	 * @return the grant, or {@code null} if somebody else held the lock all the time
	 * @throws InterruptedException if the thread is interrupted, before or while it
	 * waits, and the request is interruptible; see {@link InterruptibleWait}
	 * @throws LockUnavailableException if the engine cannot be reached, refuses or does
	 * not answer in time. After either exception nothing is held, or nothing for longer
	 * than the lease that was asked for
	 */
	@Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException;

	/**
	 * Whether nodes that wait stand in a line. Then it pays to stand in it before the
	 * lock is given back.
	 * @return whether they do
	 */
	default boolean queuesWaiters() {
		return false;
	}

	/**
	 * Tells an observer what the connection says of all leases at once. Called once,
	 * before the first acquire; an engine without such signs ignores it.
	 * @param observer the observer
	 */
	default void observe(ConnectionObserver observer) {
	}

	/**
	 * Ends what the engine has begun. Clients it was given stay open.
	 */
	@Override
	default void close() {
	}

}

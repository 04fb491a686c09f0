package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Grants locks by atomic operations. Re-entry, waiting within this JVM and renewal are
 * managed for all engines alike. So at most one thread of a JVM asks an engine for the
 * exclusive lock of a name at a time, and never a thread that holds it. An engine that
 * {@linkplain #queuesWaiters() queues waiters} is asked by one more thread while another
 * one holds the lock. At most one thread waits for the shared lock of a name, while any
 * number holds it or asks without waiting.
 *
 * <p>
 * An engine with shared locks starves neither side: while a request for an exclusive lock
 * waits, on any node, no shared lock is granted, and requests for shared locks that wait
 * are granted between exclusive ones.
 *
 * <p>
 * Every grant has a unique owner: a late or repeated operation on one grant never affects
 * another grant, even of the same thread. Safe for use by many threads.
 */
public interface LockEngine extends AutoCloseable {

	/** A wait without a limit. */
	Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

	/** The name of the engine in configuration and events. */
	String name();

	/** Whether the engine grants locks of a mode. All engines grant exclusive ones. */
	default boolean supports(LockMode mode) {
		return mode == LockMode.WRITE;
	}

	/**
	 * Refuses a mode that the engine does not grant.
	 * @throws UnsupportedOperationException if it does not
	 */
	default void requireSupport(LockMode mode) {
		if (!supports(mode)) {
			throw new UnsupportedOperationException("The lock engine '" + name()
					+ "' has no read locks: use one that has, such as redisson, zookeeper, jdbc or local, by"
					+ " idempotent.lock.engines or by the engine of the lock's options, or take the write lock");
		}
	}

	/**
	 * Acquires a lock. If the grant is not {@linkplain LockGrant#isValid() valid} any
	 * more when the caller gets it, the caller releases it and asks again.
	 * @param wait how long to wait for a holder: zero means one attempt, {@link #FOREVER}
	 * no limit
	 * @return the grant, or {@code null} if another holder had the lock all the time
	 * @throws InterruptedException if the thread is interrupted, before or while it
	 * waits, and the request is interruptible; or if an {@link InterruptibleWait} ends
	 * since the request is cancelled
	 * @throws LockUnavailableException if the engine cannot be reached, refuses or does
	 * not respond in time. After either exception the lock is not held, or taken for the
	 * requested lease at most
	 */
	@Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException;

	/**
	 * Acquires a lock for a thread that may hold others. An engine around engines
	 * overrides this: while it passes requests on to another one, it waits for the locks
	 * that are held, and must not let their threads wait for that.
	 * @param held the valid grants of the thread, of any engine; called by the thread
	 * @return the grant, or {@code null} as {@link #acquire(LockRequest, Duration)}
	 * @throws InterruptedException as {@link #acquire(LockRequest, Duration)}
	 */
	default @Nullable LockGrant acquire(LockRequest request, Duration wait, Supplier<List<LockGrant>> held)
			throws InterruptedException {
		return acquire(request, wait);
	}

	/**
	 * The engines around which this one is, in order of preference: it passes requests on
	 * to one of them, and locks may name each of them. Then its {@link #name()} is that
	 * of the engine that it uses now, and it is closed together with the locks. An engine
	 * that grants all locks itself returns none.
	 */
	default List<LockEngine> engines() {
		return List.of();
	}

	/** The engine that has made a grant: this one, or one of {@link #engines()}. */
	default LockEngine engineOf(LockGrant grant) {
		return this;
	}

	/**
	 * Whether the engine queues the nodes that wait. Then a node should be in that queue
	 * before the lock is released.
	 */
	default boolean queuesWaiters() {
		return false;
	}

	/**
	 * How many renewals and repeated releases wait for replies at the same time at most,
	 * each on a thread; those that are due meanwhile are late. Few, unless the engine has
	 * several servers of which one can hang, and calls occupy no connection of the
	 * application.
	 */
	default int renewalsAtOnce() {
		return 4;
	}

	/**
	 * An entry on this engine's servers that the nodes of an application share.
	 * @param name the name of the entry, which distinguishes the applications
	 * @return the entry, which connects with its first use; {@code null} if the servers
	 * of this engine keep none
	 */
	default @Nullable SharedEntry sharedEntry(String name) {
		return null;
	}

	/**
	 * Returns what the engine knows of a lock, whoever holds it: for operators, not used
	 * to take locks.
	 * @param name the name of the lock, see {@link LockRequest#name()}
	 * @return the state, with at most {@link LockState#MAX_HOLDERS} readers
	 * @throws LockUnavailableException if the engine cannot be asked
	 * @throws UnsupportedOperationException if the engine cannot tell
	 */
	default LockState inspect(String name) {
		throw new UnsupportedOperationException("The lock engine '" + name() + "' cannot tell who holds a lock");
	}

	/**
	 * Takes a lock away from its holders, so that it is free. None of their grants can be
	 * renewed any more, the next grant has a greater token, and those that wait for the
	 * lock are woken as by a release.
	 * @param name the name of the lock, see {@link LockRequest#name()}
	 * @return whether the lock was held
	 * @throws LockUnavailableException if the engine cannot be asked; then the lock may
	 * have been released or not
	 * @throws UnsupportedOperationException if the engine cannot take locks away
	 */
	default boolean forceRelease(String name) {
		throw new UnsupportedOperationException(
				"The lock engine '" + name() + "' cannot take a lock away from its holder");
	}

	/**
	 * Registers an observer of the connection. Called once, before the first acquire; an
	 * engine whose leases do not depend on its connection ignores it.
	 */
	default void observe(ConnectionObserver observer) {
	}

	/** Closes what the engine has opened itself; clients passed to it stay open. */
	@Override
	default void close() {
	}

}

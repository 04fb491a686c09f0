package io.idempotent.lock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock that either any number of readers hold, or one writer: threads of all nodes. The
 * write lock is the lock of the same name that {@link DistributedLocks#get(String)}
 * returns.
 *
 * <p>
 * Both locks keep the contract of
 * {@link java.util.concurrent.locks.ReentrantReadWriteLock}, with these differences and
 * additions:
 * <ul>
 * <li>Each thread's entries are counted for each of the two locks.
 * <li>A thread that holds the write lock may acquire the read lock, and release the two
 * in any order. Others, readers too, get the lock when it has released both.
 * <li>A thread that holds only the read lock cannot <b>upgrade</b>: each attempt to
 * acquire the write lock is an {@link IllegalMonitorStateException}, where
 * {@code ReentrantReadWriteLock} waits for ever. Release the read lock first, acquire the
 * write lock, and read again what may have changed.
 * <li><b>Nobody starves.</b> While a writer waits, on any node, no reader is admitted
 * except by re-entry. Readers that wait are admitted together between two writers: before
 * any other writer, or on engines with a queue in the order of arrival.
 * <li>Both locks are leases, with renewal, {@link DistributedLock#isValid()} and loss.
 * The lease of each reader ends by itself.
 * <li>Only the write lock has a {@link DistributedLock#fencingToken()}.
 * </ul>
 */
public interface DistributedReadWriteLock extends ReadWriteLock {

	/** The lock for reading, which threads share. */
	@Override
	DistributedLock readLock();

	/** The lock for writing, which one thread holds alone. */
	@Override
	DistributedLock writeLock();

}

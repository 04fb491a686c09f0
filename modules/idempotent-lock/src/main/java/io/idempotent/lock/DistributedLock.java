package io.idempotent.lock;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that one thread on one node holds at a time, while its lease is honoured.
 *
 * <p>
 * {@code lock}, {@code lockInterruptibly}, {@code tryLock} and {@code unlock} do what
 * {@link java.util.concurrent.locks.ReentrantLock} promises, interrupts included:
 * re-entry is counted for each thread, {@link #tryLock()} never waits for a holder,
 * {@link #lock()} waits through interrupts without losing its turn and leaves the thread
 * interrupted. What no local lock knows comes on top: the engine may be unreachable
 * ({@link LockUnavailableException}), and a lease may be lost while the thread still runs
 * ({@link LockLostException}).
 *
 * <p>
 * <b>No lock service can promise more than a lease</b>: a holder that is paused longer
 * than its lease goes on without the lock until it looks. {@link #isValid()} looks, the
 * loss listener tells, and {@link #fencingToken()} lets whatever is written to refuse a
 * stale holder (Kleppmann, "How to do distributed locking").
 *
 * <p>
 * Instances are handles without state of their own, cheap to get and safe to share; what
 * a thread holds belongs to the name. A thread that has lost a lock is still inside its
 * section: it cannot enter again, and every {@code unlock} up to the outermost says so.
 */
public interface DistributedLock extends Lock {

	/**
	 * What is locked.
	 * @return the name
	 */
	String name();

	/**
	 * What is locked, as everybody on the same engine knows it: the name, behind the
	 * namespace of this application if names belong to one.
	 * @return the name that tells locks of all applications apart
	 */
	default String qualifiedName() {
		return name();
	}

	/**
	 * Whether the current thread has locked and not lost it, by the monotonic clock of
	 * this JVM. Asks nobody: a loss that is not known here yet is not seen.
	 * @return whether the current thread is the holder
	 */
	boolean isHeldByCurrentThread();

	/**
	 * How often the current thread has locked without unlocking.
	 * @return the number of holds; 0 for anybody but the holder
	 */
	int holdCount();

	/**
	 * A number that is strictly greater with every grant of this lock, whoever gets it.
	 * It is taken once, with the grant, and stays the same on re-entry. Numbers may be
	 * skipped, and those of different engines do not compare.
	 * @return the token of the current thread's hold
	 * @throws IllegalMonitorStateException if the current thread is not the holder; a
	 * {@link LockLostException} if it was
	 */
	long fencingToken();

	/**
	 * Whether the current thread holds the lock and its lease, by the monotonic clock of
	 * this JVM, has not run out; on an engine whose locks are transactions, whether the
	 * transaction still holds it. Asks nobody, so it is cheap enough for every step of a
	 * loop; a pause between this answer and the next statement is not excluded.
	 * @return whether the lease is honoured
	 */
	boolean isValid();

	/**
	 * Tells a listener if the current thread's hold is lost before it is released; at
	 * once if that has happened already. It is told at most once, on a thread of its own
	 * or the caller's, and forgotten with the hold.
	 * @param listener the listener
	 * @throws IllegalMonitorStateException if the current thread has not locked
	 */
	void onLoss(LockListener listener);

	/**
	 * Takes the lock, waiting as long as it takes.
	 * @throws LockUnavailableException if the engine cannot be asked; then nothing is
	 * held, or nothing for longer than a lease
	 * @throws LockLostException if the current thread is inside a section whose lock it
	 * has lost
	 */
	@Override
	void lock();

	/**
	 * Takes the lock, waiting until it is there or the thread is interrupted.
	 * @throws InterruptedException if the thread is interrupted, on entry included; then
	 * nothing is held, or nothing for longer than a lease
	 * @throws LockUnavailableException if the engine cannot be asked
	 * @throws LockLostException as for {@link #lock()}
	 */
	@Override
	void lockInterruptibly() throws InterruptedException;

	/**
	 * Takes the lock if it is free right now. Asks the engine once and waits for its
	 * answer, never for a holder. An interrupt is kept and changes nothing.
	 * @return whether the current thread now holds it
	 * @throws LockUnavailableException if the engine cannot be asked
	 * @throws LockLostException as for {@link #lock()}
	 */
	@Override
	boolean tryLock();

	/**
	 * Takes the lock if it becomes free in time. The time covers waiting in this JVM and
	 * for other nodes together.
	 * @param time how long to wait; zero or less asks once
	 * @param unit its unit
	 * @return whether the current thread now holds it
	 * @throws InterruptedException if the thread is interrupted, on entry included
	 * @throws LockUnavailableException if the engine cannot be asked
	 * @throws LockLostException as for {@link #lock()}
	 */
	@Override
	boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

	/**
	 * Gives one hold back; the last one frees the lock. Where the engine cannot be told,
	 * the thread no longer holds it all the same: telling is repeated, and the lease ends
	 * on its own.
	 * @throws IllegalMonitorStateException if the current thread has not locked
	 * @throws LockLostException if the lock was lost meanwhile; whoever holds it now is
	 * not touched
	 */
	@Override
	void unlock();

	/**
	 * Not supported: nothing waits on a condition across nodes.
	 * @throws UnsupportedOperationException always
	 */
	@Override
	Condition newCondition();

}

package io.idempotent.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that one thread on one node holds at a time, as long as its lease is valid, or
 * one that {@linkplain LockMode#READ readers} share.
 *
 * <p>
 * {@code lock}, {@code lockInterruptibly}, {@code tryLock} and {@code unlock} keep the
 * contract of {@link java.util.concurrent.locks.ReentrantLock}: re-entry is counted for
 * each thread, {@link #tryLock()} never waits for a holder, and {@link #lock()} ignores
 * interrupts without losing its place and leaves the thread interrupted. Two failures are
 * new: the engine may be unreachable ({@link LockUnavailableException}), and the lock may
 * be lost while the thread still runs ({@link LockLostException}).
 *
 * <p>
 * <b>No lock service can promise more than a lease</b>: a holder that is paused for
 * longer than its lease continues without the lock until it checks. {@link #isValid()}
 * checks, a loss listener is notified, and with {@link #fencingToken()} a resource can
 * refuse the writes of a former holder (Kleppmann, "How to do distributed locking").
 *
 * <p>
 * Instances are handles without state, cheap to create and safe to share; a thread holds
 * the lock by its name. A thread that has lost a lock still has to call {@code unlock}
 * for each entry: it cannot enter again, and each {@code unlock} throws
 * {@link LockLostException}.
 */
public interface DistributedLock extends Lock {

	/** The name of the lock. */
	String name();

	/**
	 * The name of the lock at the engine: with the namespace of this application as a
	 * prefix, unless that is switched off.
	 */
	default String qualifiedName() {
		return name();
	}

	/**
	 * The name within which the fencing token of the current hold is strictly greater
	 * than all earlier ones; to be stored with the token. It differs from
	 * {@link #qualifiedName()} if the options of the lock name an engine other than the
	 * one in force: tokens of such locks cannot be compared with those of other locks of
	 * that name.
	 * @throws IllegalMonitorStateException if the current thread does not hold the lock
	 */
	default String fenceName() {
		return qualifiedName();
	}

	/** Whether the lock is shared with other readers. */
	default LockMode mode() {
		return LockMode.WRITE;
	}

	/**
	 * Whether the current thread holds the lock and has not lost it, by the monotonic
	 * clock of this JVM. Does not call the engine, so that a loss that this JVM has not
	 * noticed yet is not detected.
	 */
	boolean isHeldByCurrentThread();

	/** How often the current thread has locked without unlocking; 0 if not held. */
	int holdCount();

	/**
	 * The token of the current thread's grant: a number that is strictly greater with
	 * every grant of this lock, to any thread on any node. It is obtained once, with the
	 * grant, and stays the same on re-entry. Numbers may be skipped. Where all nodes
	 * switch between engines together, tokens grow across a switch too; otherwise those
	 * of different engines cannot be compared.
	 * @throws IllegalMonitorStateException if the current thread is not the holder; a
	 * {@link LockLostException} if it was
	 * @throws UnsupportedOperationException if this is a read lock: its holders write
	 * nothing that could be refused, and have no order
	 */
	long fencingToken();

	/**
	 * Whether the current thread holds the lock and its lease has not ended, by the
	 * monotonic clock of this JVM; on an engine whose locks are transactions, whether the
	 * transaction still holds it. Does not ask the engine, so that it is cheap enough for
	 * every step of a loop. The thread may still be paused between this check and the
	 * next statement.
	 */
	boolean isValid();

	/**
	 * Notifies a listener if the current thread loses the lock before it releases it; at
	 * once if that has happened already. The listener is notified at most once, on a
	 * background thread or the calling thread, and removed when the lock is released.
	 * @throws IllegalMonitorStateException if the current thread does not hold the lock
	 */
	void onLoss(LockListener listener);

	/**
	 * Lets the current thread hold the lock for at least this much longer, counted from
	 * now. For a job that takes longer than {@link LockOptions#holdAtMost()} allows: the
	 * end of the hold moves, unless it is later already, and the lease is renewed in the
	 * background until then. A hold without such an end needs no extension. In any case
	 * the engine is asked once to renew the lease, so that the lock is known to be held
	 * when this method returns.
	 * @param time how long from now; a year at most
	 * @throws IllegalArgumentException if the time is not positive, or too long
	 * @throws IllegalMonitorStateException if the current thread does not hold the lock;
	 * a {@link LockLostException} if it has lost it
	 * @throws LockUnavailableException if the engine cannot be asked. Then the lease ends
	 * as before, unless it can be renewed until then
	 */
	void extend(Duration time);

	/**
	 * Acquires the lock if it becomes free in time, for a {@code try} statement that
	 * releases it:
	 *
	 * <pre class="code">
	 * try (AcquiredLock lock = locks.get("import:prices").acquire(Duration.ofSeconds(2))) {
	 *     while (lock.isValid() &amp;&amp; ...
	 * }
	 * </pre>
	 *
	 * An interrupt ends the wait for a lock that is held by another, and does not prevent
	 * acquiring one that is free.
	 * @param wait how long to wait; zero or less asks once
	 * @return the lock, to be closed by this thread
	 * @throws LockNotObtainedException if the lock is not free in time, or the thread is
	 * interrupted meanwhile; it is still interrupted then
	 * @throws LockUnavailableException if the engine cannot be asked
	 * @throws LockLostException as for {@link #lock()}
	 */
	default AcquiredLock acquire(Duration wait) {
		LockTemplate.obtain(List.of(name()), this, wait);
		return new AcquiredLock(this);
	}

	/**
	 * Acquires the lock, and waits for it without a limit.
	 * @throws IllegalMonitorStateException if the current thread holds the read lock of
	 * this name, and this is the write lock; this applies to all methods that acquire
	 * @throws LockUnavailableException if the engine cannot be asked; then the lock is
	 * not held, or taken for a lease at most
	 * @throws LockLostException if the current thread has lost this lock and has not
	 * unlocked it yet
	 */
	@Override
	void lock();

	/**
	 * Acquires the lock, and waits for it until the thread is interrupted.
	 * @throws InterruptedException if the thread is interrupted, on entry included; then
	 * the lock is not held, or taken for a lease at most
	 * @throws LockUnavailableException if the engine cannot be asked
	 * @throws LockLostException as for {@link #lock()}
	 */
	@Override
	void lockInterruptibly() throws InterruptedException;

	/**
	 * Acquires the lock if it is free now. Calls the engine once and waits for the
	 * response, never for a holder. Ignores interrupts and leaves the thread interrupted.
	 * @return whether the current thread now holds it
	 * @throws LockUnavailableException if the engine cannot be asked
	 * @throws LockLostException as for {@link #lock()}
	 */
	@Override
	boolean tryLock();

	/**
	 * Acquires the lock if it becomes free in time. The time is the sum of waiting for
	 * threads of this JVM and for other nodes; zero or less asks once.
	 * @return whether the current thread now holds it
	 * @throws InterruptedException if the thread is interrupted, on entry included
	 * @throws LockUnavailableException if the engine cannot be asked
	 * @throws LockLostException as for {@link #lock()}
	 */
	@Override
	boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

	/**
	 * Leaves the lock once; leaving the last entry releases it. If the engine cannot be
	 * reached, the thread no longer holds the lock either: the release is repeated in the
	 * background until the lease ends by itself.
	 * @throws IllegalMonitorStateException if the current thread does not hold the lock
	 * @throws LockLostException if the lock was lost meanwhile; its present holder is not
	 * affected
	 */
	@Override
	void unlock();

	/**
	 * Not supported: a condition cannot be awaited across nodes.
	 * @throws UnsupportedOperationException always
	 */
	@Override
	Condition newCondition();

}

package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A thread's request for a lock, and its place in the {@link LocalLockQueue}, under whose
 * lock the place is changed. One deadline applies to all places where the thread waits.
 */
public final class QueuedRequest {

	static final long FOREVER = Long.MAX_VALUE;

	private final String name;

	private final LockOptions options;

	private final LockRequest toEngine;

	private final long wait;

	/** By {@link System#nanoTime()}, if the wait has a limit. */
	private final long deadline;

	private final Thread thread = Thread.currentThread();

	private final long since = System.nanoTime();

	private @Nullable LockEngine queueingEngine;

	private @Nullable HeldLease handedOff;

	/** Written after the fields that it guards. */
	private volatile boolean admitted;

	/** Whether its place has changed since the thread last looked. */
	private volatile boolean changed;

	/** Whether the holder is handing its grant off to this thread. */
	private boolean isNext;

	/** The wait is in nanoseconds; zero or less means one attempt. */
	QueuedRequest(String name, LockOptions options, LockRequest toEngine, long wait) {
		this.name = name;
		this.options = options;
		this.toEngine = toEngine;
		this.wait = wait;
		this.deadline = (wait > 0 && wait != FOREVER) ? this.since + wait : 0;
	}

	public String name() {
		return this.name;
	}

	public LockOptions options() {
		return this.options;
	}

	public LockMode mode() {
		return this.options.mode();
	}

	@Nullable Duration holdAtMost() {
		return this.options.holdAtMost();
	}

	LockRequest toEngine() {
		return this.toEngine;
	}

	/** Readers have a queue of their own. Names contain no white space. */
	String queueName() {
		return (mode() == LockMode.READ) ? this.name + " (readers)" : this.name;
	}

	boolean isOneAttempt() {
		return this.wait <= 0;
	}

	long nanosLeft() {
		if (this.wait <= 0 || this.wait == FOREVER) {
			return Math.max(0, this.wait);
		}
		return Math.max(0, this.deadline - System.nanoTime());
	}

	public Thread thread() {
		return this.thread;
	}

	public long since() {
		return this.since;
	}

	long nanosWaited() {
		return System.nanoTime() - this.since;
	}

	boolean isAdmitted() {
		return this.admitted;
	}

	/**
	 * In whose queue this thread waits while another thread of this JVM holds the lock:
	 * so the two exclude each other even if their options name different engines.
	 */
	@Nullable LockEngine queueingEngine() {
		return this.queueingEngine;
	}

	@Nullable HeldLease handedOff() {
		return this.handedOff;
	}

	void admit(@Nullable LockEngine queueingEngine, @Nullable HeldLease granted) {
		this.queueingEngine = queueingEngine;
		this.handedOff = granted;
		this.admitted = true;
		changed();
	}

	void becomeNext() {
		this.isNext = true;
	}

	/** The grant is not handed off to this thread, whose deadline counts again. */
	void noLongerNext() {
		if (this.isNext) {
			this.isNext = false;
			changed();
		}
	}

	boolean mayGiveUp(boolean interrupted) {
		return !this.admitted && (interrupted || !this.isNext);
	}

	private void changed() {
		this.changed = true;
		if (this.thread != Thread.currentThread()) {
			LockSupport.unpark(this.thread);
		}
	}

	/**
	 * Waits for an admission, or for the end of a hand-off; may return {@code false}
	 * early. Called by the thread. Without a limit it needs no timer.
	 */
	boolean awaitChange(long nanos) throws InterruptedException {
		if (!this.changed) {
			if (nanos > FOREVER / 2) {
				LockSupport.park(this);
			}
			else {
				LockSupport.parkNanos(this, nanos);
			}
		}
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		if (!this.changed) {
			return false;
		}
		this.changed = false;
		return true;
	}

}

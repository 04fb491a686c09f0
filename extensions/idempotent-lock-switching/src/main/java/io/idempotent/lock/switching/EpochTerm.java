package io.idempotent.lock.switching;

import java.util.function.LongSupplier;

import io.idempotent.lock.LockUnavailableException;

/**
 * The time for which this node may grant locks on one engine: one epoch, as long as the
 * node's membership lasts. Locks are valid no longer than the term in which they were
 * granted. A node that loses contact to the authority for longer than its lease ends its
 * term, and begins another one later, even in the same epoch. Safe for use by many
 * threads.
 */
final class EpochTerm {

	/** How many bits of a token belong to the engine. */
	private static final int TOKEN_BITS = 48;

	private final long epoch;

	private final String engine;

	private final LongSupplier clock;

	private final Runnable drained;

	/** By {@link System#nanoTime()}; changed under the lock of this object. */
	private volatile long endsAt;

	private volatile boolean draining;

	private volatile boolean ended;

	private int holds;

	/** {@code drained} is quick; called when the last lock was left during a switch. */
	EpochTerm(long epoch, String engine, long endsAt, LongSupplier clock, Runnable drained) {
		this.epoch = epoch;
		this.engine = engine;
		this.endsAt = endsAt;
		this.clock = clock;
		this.drained = drained;
	}

	long epoch() {
		return this.epoch;
	}

	String engine() {
		return this.engine;
	}

	/**
	 * The fencing token of a grant. Tokens of a later epoch are greater than those of all
	 * earlier ones, whatever the engines. Fails if the token of the engine is
	 * 2<sup>48</sup> or greater.
	 */
	long token(long token) {
		if (token == 0) {
			return token;
		}
		if (token >= 1L << TOKEN_BITS) {
			throw new LockUnavailableException("The lock engine '" + this.engine + "' has granted the token " + token
					+ ", but of engines that are switched a token must be less than 2^" + TOKEN_BITS
					+ ": take it out of idempotent.lock.engines", null);
		}
		return ((this.epoch - 1) << TOKEN_BITS) + token;
	}

	/** Counts a grant of the engine, unless no lock is granted any more. */
	synchronized boolean enter() {
		if (!isOpen()) {
			return false;
		}
		this.holds++;
		return true;
	}

	/**
	 * Counts one more lock of a thread that holds one of this term. Unlike
	 * {@link #enter()} this succeeds while nodes switch: the switch waits for the first
	 * lock anyway, whose thread may need the second one to finish. It fails if the first
	 * lock was lost.
	 */
	synchronized boolean enterNested() {
		if (this.holds == 0 || hasEnded(this.clock.getAsLong())) {
			return false;
		}
		this.holds++;
		return true;
	}

	/** No longer counts a lock, since it was released or lost. */
	void leave() {
		boolean last;
		synchronized (this) {
			this.holds--;
			last = this.draining && this.holds == 0;
		}
		if (last) {
			this.drained.run();
		}
	}

	/** Whether the term, and with it the locks that were granted in it, has ended. */
	boolean hasEnded(long now) {
		return this.ended || this.endsAt - now <= 0;
	}

	/** How long the term lasts unless it is extended. */
	long nanosLeft(long now) {
		return this.ended ? 0 : Math.max(0, this.endsAt - now);
	}

	/** Whether locks are granted: it has not ended, and no switch is in progress. */
	boolean isOpen() {
		return !this.draining && !hasEnded(this.clock.getAsLong());
	}

	/** Grants no more locks. The locks that are held stay. */
	synchronized void drain() {
		this.draining = true;
	}

	/** Grants locks again, since the switch was called off. */
	synchronized void reopen() {
		this.draining = false;
	}

	/** Extends the term, unless it has ended. */
	synchronized boolean extend(long endsAt) {
		if (hasEnded(this.clock.getAsLong())) {
			return false;
		}
		if (endsAt - this.endsAt > 0) {
			this.endsAt = endsAt;
		}
		return true;
	}

	/** Ends the term, and with it the locks that were granted in it. */
	synchronized void end() {
		this.ended = true;
	}

	synchronized int holds() {
		return this.holds;
	}

	/** Whether no lock is held any more and none will be granted. */
	synchronized boolean isDrained() {
		return this.ended || hasEnded(this.clock.getAsLong()) || (this.draining && this.holds == 0);
	}

}

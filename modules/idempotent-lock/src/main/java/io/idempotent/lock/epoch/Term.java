package io.idempotent.lock.epoch;

import java.util.function.LongSupplier;

import io.idempotent.lock.LockUnavailableException;

/**
 * The time for which this node may grant locks on one engine: one epoch, as long as the
 * node's membership lasts. Locks are valid no longer than the term in which they were
 * granted. A node that loses contact to the authority for longer than its lease ends its
 * term, and begins another one later, even in the same epoch. Safe for use by many
 * threads.
 */
public final class Term {

	/** How many bits of a token belong to the engine. */
	private static final int TOKEN_BITS = 48;

	private final long epoch;

	private final String engine;

	/** Whether the term ends at all. */
	private final boolean limited;

	private final LongSupplier clock;

	private final Runnable drained;

	/** By {@link System#nanoTime()}; changed under the lock of this object. */
	private volatile long endsAt;

	private volatile boolean draining;

	private volatile boolean ended;

	private int holds;

	private Term(long epoch, String engine, boolean limited, long endsAt, LongSupplier clock, Runnable drained) {
		this.epoch = epoch;
		this.engine = engine;
		this.limited = limited;
		this.endsAt = endsAt;
		this.clock = clock;
		this.drained = drained;
	}

	/**
	 * A term that never ends, for an engine that is not switched.
	 * @param engine the name of the engine
	 */
	public static Term permanent(String engine) {
		return new Term(1, engine, false, 0, System::nanoTime, () -> {
		});
	}

	/**
	 * A term that the nodes have agreed on.
	 * @param epoch the epoch
	 * @param engine the engine in force
	 * @param endsAt when it ends unless it is extended, by the clock
	 * @param clock as {@link System#nanoTime()}
	 * @param drained called when the last lock was left during a switch; it is quick
	 */
	static Term of(long epoch, String engine, long endsAt, LongSupplier clock, Runnable drained) {
		return new Term(epoch, engine, true, endsAt, clock, drained);
	}

	/**
	 * The epoch.
	 */
	public long epoch() {
		return this.epoch;
	}

	/**
	 * The engine in force.
	 */
	public String engine() {
		return this.engine;
	}

	/**
	 * The fencing token of a grant. Tokens of a later epoch are greater than those of all
	 * earlier ones, whatever the engines.
	 * @param token the token of the engine, less than 2<sup>48</sup> from the second
	 * epoch on
	 * @throws LockUnavailableException if the token of the engine is too large
	 */
	public long token(long token) {
		if (!this.limited || token == 0) {
			return token;
		}
		if (token >= 1L << TOKEN_BITS) {
			throw new LockUnavailableException("The lock engine '" + this.engine + "' has granted the token " + token
					+ ", but of engines that are switched a token must be less than 2^" + TOKEN_BITS
					+ ": take it out of idempotent.lock.engines", null);
		}
		return ((this.epoch - 1) << TOKEN_BITS) + token;
	}

	/**
	 * Counts a lock that the engine has granted.
	 * @return {@code false} if no lock is granted any more, so that the grant must be
	 * given back
	 */
	public boolean enter() {
		if (!this.limited) {
			return true;
		}
		synchronized (this) {
			if (!isOpen()) {
				return false;
			}
			this.holds++;
			return true;
		}
	}

	/**
	 * Counts one more lock of a thread that holds one of this term. Unlike
	 * {@link #enter()} this succeeds while nodes switch: the switch waits for the first
	 * lock anyway, whose thread may need the second one to finish.
	 * @return {@code false} if no lock is counted any more, since the first one was lost
	 */
	public boolean enterNested() {
		if (!this.limited) {
			return true;
		}
		synchronized (this) {
			if (this.holds == 0 || hasEnded(this.clock.getAsLong())) {
				return false;
			}
			this.holds++;
			return true;
		}
	}

	/**
	 * No longer counts a lock, since it was released or lost.
	 */
	public void leave() {
		if (!this.limited) {
			return;
		}
		boolean last;
		synchronized (this) {
			this.holds--;
			last = this.draining && this.holds == 0;
		}
		if (last) {
			this.drained.run();
		}
	}

	/**
	 * Whether the term can end.
	 * @return whether it has a limit
	 */
	public boolean canEnd() {
		return this.limited;
	}

	/**
	 * Whether the term has ended, and the locks that were granted in it with it.
	 * @param now the time by {@link System#nanoTime()}
	 */
	public boolean hasEnded(long now) {
		return this.limited && (this.ended || this.endsAt - now <= 0);
	}

	/**
	 * How long the term lasts unless it is extended.
	 * @param now the time
	 * @return the time in nanoseconds
	 */
	public long nanosLeft(long now) {
		return this.limited ? Math.max(0, this.endsAt - now) : Long.MAX_VALUE;
	}

	/**
	 * Whether locks are granted.
	 * @return whether the term has neither ended nor a switch is in progress
	 */
	public boolean isOpen() {
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

	/**
	 * Extends the term.
	 * @param endsAt when it ends now
	 * @return {@code false} if it had ended before
	 */
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

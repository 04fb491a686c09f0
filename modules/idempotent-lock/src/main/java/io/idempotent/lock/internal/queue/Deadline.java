package io.idempotent.lock.internal.queue;

import java.time.Duration;

import io.idempotent.lock.engine.LockEngine;

/**
 * The deadline of one acquire, shared by all places where it waits.
 */
public final class Deadline {

	/** One attempt without waiting. */
	public static final Deadline NOW = new Deadline(0, false);

	/** Waits without a limit. */
	public static final Deadline NEVER = new Deadline(0, false);

	private final long end;

	private final boolean timed;

	private Deadline(long end, boolean timed) {
		this.end = end;
		this.timed = timed;
	}

	public static Deadline in(long nanos) {
		return (nanos <= 0) ? NOW : new Deadline(System.nanoTime() + nanos, true);
	}

	public long nanosLeft() {
		if (!this.timed) {
			return (this == NEVER) ? Long.MAX_VALUE : 0;
		}
		return Math.max(0, this.end - System.nanoTime());
	}

	public Duration left() {
		if (!this.timed) {
			return (this == NEVER) ? LockEngine.FOREVER : Duration.ZERO;
		}
		return Duration.ofNanos(nanosLeft());
	}

}

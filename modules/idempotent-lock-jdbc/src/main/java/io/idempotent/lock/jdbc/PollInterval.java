package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.InterruptibleWait;

/** Pauses between attempts: longer over time, and random, against polling in lockstep. */
final class PollInterval {

	private static final long USUAL = TimeUnit.MILLISECONDS.toNanos(20);

	private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(250);

	private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(3);

	private final long start = System.nanoTime();

	private final long end;

	private long pause = USUAL;

	private long longest = LONGEST;

	private final InterruptibleWait waiting;

	PollInterval(Duration wait, InterruptibleWait waiting) {
		this.waiting = waiting;
		this.end = this.start + wait.toNanos();
	}

	boolean isOver() {
		return this.end - System.nanoTime() <= 0;
	}

	boolean hasWaited(Duration time) {
		return System.nanoTime() - this.start >= time.toNanos();
	}

	/** Starts again with a short pause; pauses stay shorter for a thread that is next. */
	void restart(boolean next) {
		this.pause = next ? SHORTEST : USUAL;
		this.longest = next ? USUAL : LONGEST;
	}

	/** Returns whether to try again; also true once after the time has run out. */
	boolean pause() throws InterruptedException {
		long left = this.end - System.nanoTime();
		if (left <= 0) {
			return false;
		}
		long jittered = this.pause / 2 + ThreadLocalRandom.current().nextLong(this.pause / 2);
		this.waiting.pause(Math.min(left, jittered));
		this.pause = Math.min(this.longest, this.pause + this.pause / 2);
		return true;
	}

}

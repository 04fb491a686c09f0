package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.InterruptibleWait;

/**
 * When to ask again: soon at first, then less often, and never in step with the other
 * nodes.
 */
final class PollInterval {

	private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(20);

	private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(250);

	private final long start = System.nanoTime();

	private final long end;

	private long pause = SHORTEST;

	private final InterruptibleWait waiting;

	/**
	 * Begins to ask.
	 * @param wait how long
	 * @param waiting how the thread waits
	 */
	PollInterval(Duration wait, InterruptibleWait waiting) {
		this.waiting = waiting;
		this.end = this.start + wait.toNanos();
	}

	/**
	 * Whether the time has run out.
	 * @return whether it has
	 */
	boolean isOver() {
		return this.end - System.nanoTime() <= 0;
	}

	/**
	 * Whether the longest pause is behind: whoever asks as often as this does has had its
	 * chance since.
	 * @return whether it is
	 */
	boolean hasWaitedLong() {
		return System.nanoTime() - this.start >= LONGEST;
	}

	/**
	 * Waits for a moment, since the turn is next.
	 * @return as for a longer pause
	 * @throws InterruptedException if an interrupt ends the wait
	 */
	boolean pauseShortly() throws InterruptedException {
		this.pause = SHORTEST;
		return pause();
	}

	/**
	 * Waits until it is time to ask again.
	 * @return whether to ask again, which is so once after the time has run out
	 * @throws InterruptedException if an interrupt ends the wait
	 */
	boolean pause() throws InterruptedException {
		long left = this.end - System.nanoTime();
		if (left <= 0) {
			return false;
		}
		long jittered = this.pause / 2 + ThreadLocalRandom.current().nextLong(this.pause / 2);
		this.waiting.await(Math.min(left, jittered), PollInterval::sleep);
		this.pause = Math.min(LONGEST, this.pause + this.pause / 2);
		return true;
	}

	private static boolean sleep(long nanos) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(nanos);
		return true;
	}

}

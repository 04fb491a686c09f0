package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.InterruptibleWait;

/**
 * The pauses between attempts: short at first, then longer, with a random part so that
 * nodes do not poll in lockstep.
 */
final class PollInterval {

	private static final long USUAL = TimeUnit.MILLISECONDS.toNanos(20);

	private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(250);

	private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(3);

	private final long start = System.nanoTime();

	private final long end;

	private long pause = USUAL;

	private long longest = LONGEST;

	private final InterruptibleWait waiting;

	/**
	 * Starts polling.
	 * @param wait how long
	 * @param waiting handles interrupts
	 */
	PollInterval(Duration wait, InterruptibleWait waiting) {
		this.waiting = waiting;
		this.end = this.start + wait.toNanos();
	}

	/**
	 * Whether the time has run out.
	 */
	boolean isOver() {
		return this.end - System.nanoTime() <= 0;
	}

	/**
	 * Whether the thread has waited for some time.
	 * @param time the time
	 * @return whether it has waited for that long
	 */
	boolean hasWaited(Duration time) {
		return System.nanoTime() - this.start >= time.toNanos();
	}

	/**
	 * Starts again with a short pause.
	 * @param next whether the thread is next, so that pauses are shorter
	 */
	void restart(boolean next) {
		this.pause = next ? SHORTEST : USUAL;
		this.longest = next ? USUAL : LONGEST;
	}

	/**
	 * Waits until it is time for the next attempt.
	 * @return whether to try again, which is also true once after the time has run out
	 * @throws InterruptedException if an interrupt ends the wait
	 */
	boolean pause() throws InterruptedException {
		long left = this.end - System.nanoTime();
		if (left <= 0) {
			return false;
		}
		long jittered = this.pause / 2 + ThreadLocalRandom.current().nextLong(this.pause / 2);
		this.waiting.await(Math.min(left, jittered), PollInterval::sleep);
		this.pause = Math.min(this.longest, this.pause + this.pause / 2);
		return true;
	}

	private static boolean sleep(long nanos) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(nanos);
		return false;
	}

}

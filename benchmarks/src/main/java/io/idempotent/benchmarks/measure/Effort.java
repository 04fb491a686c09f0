package io.idempotent.benchmarks.measure;

import java.time.Duration;

/**
 * How much time a run may take, and how far it goes.
 *
 * @param full whether figures are wanted; otherwise it is only tried whether everything
 * still runs
 * @param rounds how often each contender has its turn
 * @param turn how long a turn is
 */
public record Effort(boolean full, int rounds, Duration turn) {

	/**
	 * Enough for figures.
	 * @return nine rounds of 700 ms turns
	 */
	public static Effort measured() {
		return new Effort(true, 9, Duration.ofMillis(700));
	}

	/**
	 * Just enough to see that everything runs.
	 * @return one round of 20 ms turns
	 */
	public static Effort smoke() {
		return new Effort(false, 1, Duration.ofMillis(20));
	}

	/**
	 * Chooses by what is wanted.
	 * @param full what a full run takes
	 * @param smoke what a smoke pass takes
	 * @return the one of them
	 */
	public int either(int full, int smoke) {
		return this.full ? full : smoke;
	}

}

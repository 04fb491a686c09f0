package io.idempotent.benchmarks.measure;

import java.util.Arrays;

/**
 * A figure of several rounds.
 *
 * @param median the median
 * @param low the lowest
 * @param high the highest
 */
public record Spread(double median, double low, double high) {

	/**
	 * Sums rounds up.
	 * @param rounds a figure for each round, at least one
	 * @return their spread
	 */
	public static Spread of(double... rounds) {
		double[] sorted = rounds.clone();
		Arrays.sort(sorted);
		int middle = sorted.length / 2;
		double median = (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
		return new Spread(median, sorted[0], sorted[sorted.length - 1]);
	}

	/**
	 * A figure that was read once, a size for instance.
	 * @param value the figure
	 * @return the figure without a spread
	 */
	public static Spread exactly(double value) {
		return new Spread(value, value, value);
	}

	/**
	 * The same in another unit.
	 * @param factor what to multiply with
	 * @return the product
	 */
	public Spread times(double factor) {
		return new Spread(this.median * factor, this.low * factor, this.high * factor);
	}

}

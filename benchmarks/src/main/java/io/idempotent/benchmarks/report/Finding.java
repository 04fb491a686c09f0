package io.idempotent.benchmarks.report;

import java.util.Locale;

/**
 * Whether something that was to be reached was reached.
 *
 * @param goal what was to be reached, with its bound
 * @param figure what was measured
 * @param met whether it was reached
 */
public record Finding(String goal, String figure, boolean met) {

	/**
	 * A goal that is an upper bound.
	 * @param goal what was to be reached
	 * @param figure what was measured
	 * @param unit its unit, with a leading space if it wants one
	 * @param bound what it may be at most
	 * @return the finding
	 */
	public static Finding atMost(String goal, double figure, String unit, double bound) {
		return new Finding(goal, text(figure) + unit, figure <= bound);
	}

	/**
	 * A goal that is a lower bound.
	 * @param goal what was to be reached
	 * @param figure what was measured
	 * @param unit its unit, with a leading space if it wants one
	 * @param bound what it must be at least
	 * @return the finding
	 */
	public static Finding atLeast(String goal, double figure, String unit, double bound) {
		return new Finding(goal, text(figure) + unit, figure >= bound);
	}

	private static String text(double figure) {
		return (Math.abs(figure) >= 100) ? Cell.text(figure) : String.format(Locale.ROOT, "%.2f", figure);
	}

}

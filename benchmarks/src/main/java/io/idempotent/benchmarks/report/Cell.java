package io.idempotent.benchmarks.report;

import java.util.Locale;

import io.idempotent.benchmarks.measure.Spread;
import org.jspecify.annotations.Nullable;

/**
 * One figure of a table.
 *
 * @param spread the figure, or {@code null} where there is none
 */
public record Cell(@Nullable Spread spread) {

	/** Where nothing was measured. */
	public static final Cell NONE = new Cell(null);

	/**
	 * A figure.
	 * @param spread the figure
	 * @return its cell
	 */
	public static Cell of(Spread spread) {
		return new Cell(spread);
	}

	/**
	 * The figure with as many digits as it deserves, and its spread if it has one.
	 */
	@Override
	public String toString() {
		if (this.spread == null) {
			return "–";
		}
		double median = this.spread.median();
		if (this.spread.low() == this.spread.high()) {
			return (median == Math.rint(median)) ? String.format(Locale.ROOT, "%,.0f", median) : text(median);
		}
		return text(median) + " (" + text(this.spread.low()) + "–" + text(this.spread.high()) + ")";
	}

	static String text(double value) {
		if (Math.abs(value) >= 100) {
			return String.format(Locale.ROOT, "%,.0f", value);
		}
		return String.format(Locale.ROOT, (Math.abs(value) >= 10) ? "%.1f" : "%.2f", value);
	}

}

package io.idempotent.benchmarks.report;

import java.util.Arrays;
import java.util.Locale;

/**
 * A line for each contender, over seconds, on axes that begin at zero.
 */
public final class Curves {

	private static final int WIDTH = 860;

	private static final int HEIGHT = 400;

	private static final int LEFT = 70;

	private static final int BOTTOM = 350;

	private static final int RIGHT = 700;

	private static final int TOP = 50;

	private static final int STEPS = 4;

	private static final String[] COLORS = { "#3a9a52", "#d9822b", "#4a7ebb" };

	private final StringBuilder svg = new StringBuilder();

	private final String title;

	private final StringBuilder names = new StringBuilder();

	private double[][] xs = {};

	private double[][] ys = {};

	/**
	 * An empty drawing.
	 * @param title what it shows
	 */
	public Curves(String title) {
		this.title = title;
	}

	/**
	 * Adds a line.
	 * @param name whose it is
	 * @param x seconds
	 * @param y its value at each
	 */
	public void add(String name, double[] x, double[] y) {
		int index = this.xs.length;
		this.xs = Arrays.copyOf(this.xs, index + 1);
		this.ys = Arrays.copyOf(this.ys, index + 1);
		this.xs[index] = x;
		this.ys[index] = y;
		this.names.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>%n", RIGHT + 10,
				TOP + 20 * index, COLORS[index], name));
	}

	/**
	 * The lines as SVG.
	 * @return the SVG
	 */
	public String draw() {
		double highestX = highest(this.xs);
		double highestY = highest(this.ys);
		append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" "
				+ "font-family=\"sans-serif\" font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" "
				+ "fill=\"#ffffff\"/>%n<text x=\"10\" y=\"22\" font-weight=\"bold\">%3$s</text>%n", WIDTH, HEIGHT,
				this.title);
		for (int step = 0; step <= STEPS; step++) {
			double y = BOTTOM - (BOTTOM - TOP) * step / (double) STEPS;
			double x = LEFT + (RIGHT - LEFT) * step / (double) STEPS;
			append("<line x1=\"%1$d\" x2=\"%2$d\" y1=\"%3$.1f\" y2=\"%3$.1f\" stroke=\"#dddddd\"/>%n", LEFT, RIGHT, y);
			append("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%,.0f</text>%n", LEFT - 8, y + 5,
					highestY * step / STEPS);
			append("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%,.0f s</text>%n", x, BOTTOM + 20,
					highestX * step / STEPS);
		}
		for (int line = 0; line < this.xs.length; line++) {
			append("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", COLORS[line]);
			for (int i = 0; i < this.xs[line].length; i++) {
				append("%.1f,%.1f ", LEFT + (RIGHT - LEFT) * this.xs[line][i] / highestX,
						BOTTOM - (BOTTOM - TOP) * this.ys[line][i] / highestY);
			}
			append("\"/>%n");
		}
		return this.svg.append(this.names).append("</svg>\n").toString();
	}

	private static double highest(double[][] lines) {
		return Arrays.stream(lines).flatMapToDouble(Arrays::stream).max().orElse(1);
	}

	private void append(String format, Object... arguments) {
		this.svg.append(String.format(Locale.ROOT, format, arguments));
	}

}

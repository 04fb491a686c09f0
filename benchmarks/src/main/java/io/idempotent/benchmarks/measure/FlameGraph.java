package io.idempotent.benchmarks.measure;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Sampled stacks as an SVG: each frame stands below its caller, as wide as its share of
 * the samples.
 */
final class FlameGraph {

	private static final double WIDTH = 1200;

	private static final int HEIGHT = 15;

	private static final double LETTER = 6.2;

	/** Narrower frames are left out. */
	private static final double LEAST = 0.005;

	private final Frame root = new Frame();

	private final UnaryOperator<String> color;

	private final StringBuilder svg = new StringBuilder();

	private int depth;

	/** The color is that of a method, by its full name. */
	FlameGraph(UnaryOperator<String> color) {
		this.color = color;
	}

	/** Counts a stack of full names of methods, the outermost first. */
	void add(List<String> stack) {
		Frame frame = this.root;
		frame.samples++;
		for (String method : stack) {
			frame = frame.callees.computeIfAbsent(method, (absent) -> new Frame());
			frame.samples++;
		}
	}

	String draw(String title) {
		draw(this.root, 0, 1);
		return String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$.0f %2$d\" font-family=\"monospace\" "
						+ "font-size=\"10\">%n<style>rect{height:14px;stroke:#fff;stroke-width:.4px}</style>%n"
						+ "<rect width=\"100%%\" style=\"height:100%%\" fill=\"#fff\"/>%n"
						+ "<text x=\"4\" y=\"11\" font-weight=\"bold\">%3$s, %4$d samples</text>%n%5$s</svg>%n",
				WIDTH, (this.depth + 1) * HEIGHT, escaped(title), this.root.samples, this.svg);
	}

	private void draw(Frame caller, double left, int row) {
		double x = left;
		for (Map.Entry<String, Frame> callee : caller.callees.entrySet()) {
			double share = (double) callee.getValue().samples / this.root.samples;
			if (share >= LEAST) {
				this.depth = Math.max(this.depth, row);
				draw(callee.getKey(), share, x, row * HEIGHT);
				draw(callee.getValue(), x, row + 1);
			}
			x += share * WIDTH;
		}
	}

	private void draw(String method, double share, double x, int y) {
		this.svg.append(String.format(Locale.ROOT,
				"<g><title>%s %.1f%%</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" fill=\"%s\"/>", escaped(method),
				100 * share, x, y, share * WIDTH, this.color.apply(method)));
		String name = method.replaceFirst("^.*\\.(?=[^.]+\\.[^.]+$)", "");
		int letters = Math.min(name.length(), (int) (share * WIDTH / LETTER));
		if (letters > 2) {
			this.svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%s</text>", x + 1, y + 11,
					escaped(name.substring(0, letters))));
		}
		this.svg.append("</g>\n");
	}

	private static String escaped(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;");
	}

	/**
	 * How often a method was on a stack, below the same callers.
	 */
	private static final class Frame {

		private final Map<String, Frame> callees = new TreeMap<>();

		private int samples;

	}

}

package io.idempotent.benchmarks.report;

import java.util.Locale;

import io.idempotent.benchmarks.measure.Spread;

/**
 * One column of a table as horizontal bars, each with its spread. Written by hand,
 * because what draws SVG for Java draws through AWT, and that wants fonts which a bare
 * machine does not have.
 */
final class Chart {

	private static final int WIDTH = 860;

	private static final int LEFT = 330;

	private static final int BARS = 400;

	private static final int LINE = 22;

	private final Table table;

	private final StringBuilder svg = new StringBuilder();

	private int y = 40;

	private Chart(Table table) {
		this.table = table;
	}

	static String of(Table table) {
		return new Chart(table).draw();
	}

	private String draw() {
		text(10, 22, "start", "bold", this.table.title() + ": " + this.table.columns().get(this.table.charted()));
		String group = "";
		for (Table.Row row : this.table.rows()) {
			if (!row.group().equals(group)) {
				group = row.group();
				text(10, this.y + 16, "start", "bold", group);
				this.y += LINE;
			}
			bar(row);
		}
		return String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" "
						+ "font-family=\"sans-serif\" font-size=\"13\">%n"
						+ "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n%3$s</svg>%n",
				WIDTH, this.y + 12, this.svg);
	}

	private void bar(Table.Row row) {
		Spread spread = row.cells().get(this.table.charted()).spread();
		text(LEFT - 8, this.y + 15, "end", "normal", row.name());
		if (spread != null) {
			double scale = BARS / Math.max(highest(), Double.MIN_NORMAL);
			append("<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\" fill=\"#4a7ebb\"/>%n", LEFT, this.y + 4,
					spread.median() * scale);
			append("<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%3$d\" y2=\"%3$d\" stroke=\"#1d1d1d\" stroke-width=\"2\"/>%n",
					LEFT + spread.low() * scale, LEFT + spread.high() * scale, this.y + 11);
			text(LEFT + spread.high() * scale + 8, this.y + 15, "start", "normal", Cell.text(spread.median()));
		}
		this.y += LINE;
	}

	private double highest() {
		return this.table.rows()
			.stream()
			.map((row) -> row.cells().get(this.table.charted()).spread())
			.mapToDouble((spread) -> (spread != null) ? spread.high() : 0)
			.max()
			.orElse(1);
	}

	private void text(double x, int y, String anchor, String weight, String text) {
		append("<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\" font-weight=\"%s\" fill=\"#1d1d1d\">%s</text>%n", x, y,
				anchor, weight, text.replace("&", "&amp;").replace("<", "&lt;"));
	}

	private void append(String format, Object... arguments) {
		this.svg.append(String.format(Locale.ROOT, format, arguments));
	}

}

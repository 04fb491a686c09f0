package io.idempotent.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import tools.jackson.databind.json.JsonMapper;

/**
 * Writes what was measured.
 */
public final class Report {

	private final String conditions;

	private final Results results;

	private final String suffix;

	/**
	 * Prepares a report.
	 * @param conditions machine, versions and date, as Markdown
	 * @param results what was found
	 */
	public Report(String conditions, Results results) {
		this(conditions, results, "");
	}

	private Report(String conditions, Results results, String suffix) {
		this.conditions = conditions;
		this.results = results;
		this.suffix = suffix;
	}

	/**
	 * The report of a run under other conditions, a second JDK for instance: its tables,
	 * charts, conditions and findings stand beside those of the main run.
	 * @param variant what is appended to each id, of letters, digits and hyphens; empty
	 * for the main run
	 * @return the report
	 */
	public Report variant(String variant) {
		if (variant.isEmpty()) {
			return this;
		}
		return new Report(this.conditions,
				new Results(this.results.tables().stream().map((table) -> table.variant(variant)).toList(),
						this.results.findings(), this.results.drawings()),
				"-" + variant);
	}

	/**
	 * Writes {@code performance.md}, and {@code performance/} with the results as JSON
	 * and a chart for each table.
	 * @param directory where, created if need be
	 * @throws IOException if it cannot be written
	 */
	public void writeTo(Path directory) throws IOException {
		Path page = directory.resolve("performance.md");
		writeCharts(directory.resolve("performance"));
		writeResults(directory.resolve("performance"));
		StringBuilder text = new StringBuilder("# Performance\n\n" + this.conditions + "\n");
		text.append(Markdown.findings(this.results.findings()));
		this.results.tables()
			.forEach(
					(table) -> text.append("\n## ").append(table.title()).append("\n\n").append(Markdown.table(table)));
		Files.writeString(page, text);
	}

	/**
	 * Brings a page up to date that somebody has written around the figures: what stands
	 * between {@code <!-- begin ID -->} and {@code <!-- end ID -->} is replaced.
	 * @param directory of {@code performance.md}
	 * @param area the only area that was measured, whose conditions and findings may have
	 * a place of their own; empty if all were measured
	 * @throws IOException if it cannot be written
	 */
	public void update(Path directory, String area) throws IOException {
		Path page = directory.resolve("performance.md");
		writeCharts(directory.resolve("performance"));
		String text = Files.readString(page);
		String of = (area.isEmpty() ? "" : "-" + area) + this.suffix;
		if (area.isEmpty()) {
			writeResults(directory.resolve("performance"));
		}
		if (area.isEmpty() || text.contains(begin("findings" + of))) {
			text = replace(text, "conditions" + of, this.conditions);
			text = replace(text, "findings" + of, Markdown.findings(this.results.findings()));
		}
		for (Table table : this.results.tables()) {
			text = replace(text, table.id(), Markdown.table(table));
		}
		Files.writeString(page, text);
	}

	private static String replace(String text, String id, String block) {
		String begin = begin(id);
		int from = text.indexOf(begin);
		int to = text.indexOf("<!-- end " + id + " -->", from);
		if (from < 0 || to < 0) {
			throw new IllegalStateException("docs/performance.md has no place for '" + id + "': write " + begin.strip()
					+ " and <!-- end " + id + " --> where it belongs");
		}
		return text.substring(0, from) + begin + block + text.substring(to);
	}

	private static String begin(String id) {
		return "<!-- begin " + id + " -->\n";
	}

	private void writeCharts(Path directory) throws IOException {
		Files.createDirectories(directory);
		for (Table table : this.results.tables()) {
			Files.writeString(directory.resolve(table.id() + ".svg"), Chart.of(table));
		}
		for (Map.Entry<String, String> drawing : this.results.drawings().entrySet()) {
			Files.writeString(directory.resolve(drawing.getKey() + this.suffix + ".svg"), drawing.getValue());
		}
	}

	private void writeResults(Path directory) throws IOException {
		Files.writeString(directory.resolve("results" + this.suffix + ".json"),
				JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(this.results) + "\n");
	}

}

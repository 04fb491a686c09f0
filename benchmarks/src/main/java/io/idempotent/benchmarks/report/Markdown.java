package io.idempotent.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Results as Markdown.
 */
final class Markdown {

	private Markdown() {
	}

	static String table(Table table) {
		boolean grouped = table.rows().stream().anyMatch((row) -> !row.group().isEmpty());
		List<String> lines = new ArrayList<>();
		List<String> head = new ArrayList<>(grouped ? List.of("", "") : List.of(""));
		head.addAll(table.columns());
		lines.add(line(head));
		lines.add(line(head.stream().map((column) -> "---").toList()));
		String group = "";
		for (Table.Row row : table.rows()) {
			List<String> cells = new ArrayList<>();
			if (grouped) {
				cells.add(row.group().equals(group) ? "" : row.group());
				group = row.group();
			}
			cells.add(row.name());
			row.cells().forEach((cell) -> cells.add(cell.toString()));
			lines.add(line(cells));
		}
		return String.join("\n", lines) + "\n\n![" + table.title() + "](performance/" + table.id() + ".svg)\n";
	}

	static String findings(List<Finding> findings) {
		List<String> lines = new ArrayList<>();
		lines.add(line(List.of("to be reached", "measured", "")));
		lines.add(line(List.of("---", "---", "---")));
		findings.forEach((finding) -> lines
			.add(line(List.of(finding.goal(), finding.figure(), finding.met() ? "met" : "**missed**"))));
		return String.join("\n", lines) + "\n";
	}

	private static String line(List<String> cells) {
		return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
	}

}

package io.idempotent.benchmarks.report;

import java.util.List;

/**
 * What was measured side by side.
 *
 * @param id a name for files, of letters and hyphens
 * @param title what it shows
 * @param columns the heads of the columns of figures, with their units
 * @param charted the column that the chart shows
 * @param rows the rows, those of a group next to each other
 */
public record Table(String id, String title, List<String> columns, int charted, List<Row> rows) {

	/**
	 * The same table from a run under other conditions.
	 * @param variant what is appended to the id and the title
	 * @return the table with an id and a title of its own
	 */
	Table variant(String variant) {
		return new Table(this.id + "-" + variant, this.title + ", " + variant, this.columns, this.charted, this.rows);
	}

	/**
	 * One contender under one condition.
	 *
	 * @param group the condition, 16 threads for instance
	 * @param name the contender
	 * @param cells its figures
	 */
	public record Row(String group, String name, List<Cell> cells) {
	}

}

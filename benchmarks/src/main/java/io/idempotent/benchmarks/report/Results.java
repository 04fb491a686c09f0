package io.idempotent.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What an area has found.
 *
 * @param tables its tables
 * @param findings what was reached and what was not
 * @param drawings an SVG for each name of a file, besides the charts of the tables
 */
public record Results(List<Table> tables, List<Finding> findings, @JsonIgnore Map<String, String> drawings) {

	/**
	 * What an area has found without drawings of its own.
	 * @param tables its tables
	 * @param findings what was reached and what was not
	 */
	public Results(List<Table> tables, List<Finding> findings) {
		this(tables, findings, Map.of());
	}

	/**
	 * Both together.
	 * @param other what another area has found
	 * @return everything, this area's first
	 */
	public Results and(Results other) {
		Map<String, String> all = new LinkedHashMap<>(this.drawings);
		all.putAll(other.drawings);
		return new Results(join(this.tables, other.tables), join(this.findings, other.findings), all);
	}

	private static <T> List<T> join(List<T> first, List<T> second) {
		List<T> all = new ArrayList<>(first);
		all.addAll(second);
		return all;
	}

}

package io.idempotent.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/**
 * What an area has found.
 *
 * @param tables its tables
 * @param findings what was reached and what was not
 */
public record Results(List<Table> tables, List<Finding> findings) {

	/**
	 * Both together.
	 * @param other what another area has found
	 * @return everything, this area's first
	 */
	public Results and(Results other) {
		return new Results(join(this.tables, other.tables), join(this.findings, other.findings));
	}

	private static <T> List<T> join(List<T> first, List<T> second) {
		List<T> all = new ArrayList<>(first);
		all.addAll(second);
		return all;
	}

}

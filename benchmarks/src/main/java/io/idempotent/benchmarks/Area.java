package io.idempotent.benchmarks;

import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.report.Results;

/**
 * One part of the library that is measured by itself, with servers of its own.
 */
public interface Area {

	/**
	 * How the command line calls it.
	 * @return letters and hyphens
	 */
	String name();

	/**
	 * Measures.
	 * @param effort how much of it
	 * @return what was found
	 * @throws Exception if anything fails; figures of a failed run are worth nothing
	 */
	Results measure(Effort effort) throws Exception;

}

package io.idempotent.benchmarks.measure;

import java.util.Map;

/**
 * How one contender did.
 *
 * @param contender its name
 * @param p50 the median latency of each round, in microseconds
 * @param p99 the 99th percentile of each round, in microseconds
 * @param throughput tasks per second, all threads together
 * @param fairness tasks of the thread that did fewest, as a percentage of an equal share
 * @param used what each meter says that a task used
 */
public record Figures(String contender, Spread p50, Spread p99, Spread throughput, Spread fairness,
		Map<String, Spread> used) {
}

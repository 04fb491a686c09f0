package io.idempotent.benchmarks.measure;

/**
 * One way to do the work.
 *
 * @param name how tables call it
 * @param task the work
 */
public record Contender(String name, Task task) {

	/**
	 * One unit of work, timed as a whole.
	 */
	@FunctionalInterface
	public interface Task {

		/**
		 * Does it once.
		 * @param stopwatch times the parts that count, where not all of it does
		 * @throws Exception if it fails, which fails the whole run
		 */
		void run(Stopwatch stopwatch) throws Exception;

	}

}

package io.idempotent.benchmarks.measure;

import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * One way to do the work.
 *
 * @param name how tables call it
 * @param task the work
 * @param meters what is read before and after each turn
 */
public record Contender(String name, Task task, List<Meter> meters) {

	/**
	 * A contender of which only time is measured.
	 * @param name how tables call it
	 * @param task the work
	 */
	public Contender(String name, Task task) {
		this(name, task, List.of());
	}

	/**
	 * The same work, with meters.
	 * @param read what is read before and after each turn
	 * @return the contender with these meters alone
	 */
	public Contender with(List<Meter> read) {
		return new Contender(this.name, this.task, read);
	}

	/**
	 * Something that work uses up, processor time for instance.
	 *
	 * @param name what it is
	 * @param used how much has been used so far
	 */
	public record Meter(String name, DoubleSupplier used) {
	}

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

package io.idempotent.programs;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs many programs and remembers which have failed.
 */
final class Findings {

	/**
	 * A program that failed.
	 *
	 * @param seed draws it
	 * @param deviation what came of it
	 */
	record Finding(long seed, Deviation deviation) {
	}

	private final Worlds worlds;

	private final List<Finding> found = new ArrayList<>();

	private int ran;

	Findings(Worlds worlds) {
		this.worlds = worlds;
	}

	/**
	 * Runs programs whose seeds follow one another.
	 * @param first the seed of the first
	 * @param count how many
	 * @return these findings
	 */
	Findings run(long first, int count) {
		for (long seed = first; seed < first + count; seed++) {
			List<Deviation> deviations = this.worlds.run(Generator.draw(seed));
			this.ran++;
			if (!deviations.isEmpty()) {
				this.found.add(new Finding(seed, deviations.get(0)));
			}
		}
		return this;
	}

	boolean isEmpty() {
		return this.found.isEmpty();
	}

	List<Finding> found() {
		return this.found;
	}

	/**
	 * The smallest program that fails like one that was found.
	 * @param finding the one
	 * @return the program
	 */
	Program shrunk(Finding finding) {
		return new Shrinker((program) -> this.worlds.run(program)
			.stream()
			.anyMatch((each) -> each.kind() == finding.deviation().kind())).shrink(Generator.draw(finding.seed()));
	}

	Map<Kind, Integer> counts() {
		Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
		this.found.forEach((each) -> counts.merge(each.deviation().kind(), 1, Integer::sum));
		return counts;
	}

	/**
	 * Tells what was found, with some programs as small as they get.
	 * @param most how many of them at most
	 * @return a text
	 */
	String report(int most) {
		StringBuilder report = new StringBuilder(
				this.found.size() + " of " + this.ran + " programs deviate: " + counts() + "\n");
		for (Finding each : this.found.subList(0, Math.min(most, this.found.size()))) {
			Program smallest = shrunk(each);
			report.append("\n# seed ").append(each.seed()).append(": ").append(each.deviation());
			report.append("\n# smallest: ").append(this.worlds.run(smallest));
			report.append('\n').append(smallest);
		}
		return report.toString();
	}

}

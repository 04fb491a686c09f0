package io.idempotent.switching;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Judges sections by what locks promise. It knows nothing of the library.
 *
 * <p>
 * A section begins at a time that was taken after the lock was granted and before a check
 * that found it valid, and ends at the last time that was taken before such a check. A
 * lock that was found invalid never becomes valid again, so the thread was entitled to
 * rely on it at each moment between the two: an overlap is always a violation. How long
 * the thread relied on the lock after the last check, a few milliseconds, is not counted.
 */
final class Judge {

	private final List<Violation> violations = new ArrayList<>();

	private Judge() {
	}

	/**
	 * Finds all violations.
	 * @param sections the sections of all processes
	 * @return the violations
	 */
	static List<Violation> judge(Collection<Section> sections) {
		List<Section> ordered = sections.stream().sorted(Comparator.comparingLong(Section::from)).toList();
		Judge judge = new Judge();
		Map<String, List<Section>> byName = new HashMap<>();
		ordered.forEach((section) -> byName.computeIfAbsent(section.name(), (name) -> new ArrayList<>()).add(section));
		byName.values().forEach(judge::judgeName);
		judge.judgeEpochs(ordered);
		return judge.violations;
	}

	/** One holder at a time, and tokens that grow, whatever the engines. */
	private void judgeName(List<Section> ordered) {
		Section latest = ordered.get(0);
		Section greatest = ordered.get(0);
		for (Section section : ordered.subList(1, ordered.size())) {
			check(section, latest, Kind.TWO_HOLDERS, (earlier) -> section.from() < earlier.to());
			check(section, greatest, Kind.TOKEN_NOT_GREATER, (earlier) -> section.token() <= earlier.token());
			latest = max(latest, section, Section::to);
			greatest = max(greatest, section, Section::token);
		}
	}

	/** One engine in each epoch, and no lock of an epoch while one of another is held. */
	private void judgeEpochs(List<Section> ordered) {
		NavigableMap<Long, Section> first = new TreeMap<>();
		NavigableMap<Long, Section> latest = new TreeMap<>();
		for (Section section : ordered) {
			long epoch = section.epoch();
			Section same = first.computeIfAbsent(epoch, (key) -> section);
			check(section, same, Kind.TWO_ENGINES_IN_EPOCH, (earlier) -> !section.engine().equals(earlier.engine()));
			check(section, first.lastEntry().getValue(), Kind.FORMER_EPOCH, (later) -> epoch < later.epoch());
			for (Section former : latest.headMap(epoch).values()) {
				check(section, former, Kind.NOT_DRAINED, (earlier) -> section.from() < earlier.to());
			}
			latest.merge(epoch, section, (one, other) -> max(one, other, Section::to));
		}
	}

	private static Section max(Section one, Section other, Function<Section, Long> value) {
		return (value.apply(other) > value.apply(one)) ? other : one;
	}

	private void check(Section section, Section earlier, Kind kind, Predicate<Section> violated) {
		if (violated.test(earlier)) {
			this.violations.add(new Violation(kind, earlier, section));
		}
	}

	/**
	 * What must not happen.
	 */
	enum Kind {

		/** Two threads held a lock of the same name at the same time. */
		TWO_HOLDERS,

		/** A later holder has no greater token. */
		TOKEN_NOT_GREATER,

		/** Two engines granted locks in the same epoch. */
		TWO_ENGINES_IN_EPOCH,

		/** A lock of a former epoch was granted after one of a later epoch. */
		FORMER_EPOCH,

		/** A lock was held while another one was still held from a former epoch. */
		NOT_DRAINED

	}

	/**
	 * A violation.
	 *
	 * @param kind what happened
	 * @param earlier the section that began first
	 * @param later the section that began later
	 */
	record Violation(Kind kind, Section earlier, Section later) {
	}

}

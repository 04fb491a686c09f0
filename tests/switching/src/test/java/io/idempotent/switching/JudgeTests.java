package io.idempotent.switching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.idempotent.switching.Judge.Kind;
import io.idempotent.switching.Judge.Violation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the judge of the sections finds, and what it does not object to, where the nodes
 * that {@link SwitchFaultTests} plant do not show it.
 */
class JudgeTests {

	@Test
	void consecutiveSectionsAreCorrect() {
		List<Section> sections = new ArrayList<>();
		for (int i = 1; i < 50; i++) {
			sections.add(section("a", 1 + i / 10, i, (i / 10 % 2 == 0) ? "jdbc" : "redisson", i * 10L, i * 10L + 9));
		}
		Collections.shuffle(sections, new Random(1));
		assertThat(Judge.judge(sections)).isEmpty();
	}

	@Test
	void locksOfOtherNamesOverlap() {
		assertThat(kinds(section("a", 1, 1, "jdbc", 0, 10), section("b", 1, 2, "jdbc", 5, 15))).isEmpty();
	}

	@Test
	void aHolderAmongShorterOnes() {
		assertThat(kinds(section("a", 1, 1, "jdbc", 0, 100), section("a", 1, 2, "jdbc", 20, 30),
				section("a", 1, 3, "jdbc", 40, 50)))
			.containsExactly(Kind.TWO_HOLDERS, Kind.TWO_HOLDERS);
	}

	@Test
	void twoEnginesInOneEpoch() {
		assertThat(kinds(section("a", 2, 7, "jdbc", 0, 10), section("b", 2, 8, "redisson", 11, 12)))
			.containsExactly(Kind.TWO_ENGINES_IN_EPOCH);
	}

	private static List<Kind> kinds(Section... sections) {
		return Judge.judge(Arrays.asList(sections)).stream().map(Violation::kind).toList();
	}

	private static Section section(String name, long epoch, long token, String engine, long from, long to) {
		return new Section("node", name, ((epoch - 1) << 48) + token, engine, from, to);
	}

}

package io.idempotent.benchmarks.report;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FindingTests {

	@Test
	void anUpperBoundIsMetUpToTheBound() {
		assertThat(Finding.atMost("goal", 1.15, " ×", 1.15)).isEqualTo(new Finding("goal", "1.15 ×", true));
		assertThat(Finding.atMost("goal", 1.16, " ×", 1.15).met()).isFalse();
	}

	@Test
	void aLowerBoundIsMetFromTheBound() {
		assertThat(Finding.atLeast("goal", 4, " ×", 4)).isEqualTo(new Finding("goal", "4.00 ×", true));
		assertThat(Finding.atLeast("goal", 3.99, " ×", 4).met()).isFalse();
	}

	@Test
	void notANumberMeetsNoBound() {
		assertThat(Finding.atMost("goal", Double.NaN, "", 1).met()).isFalse();
		assertThat(Finding.atLeast("goal", Double.NaN, "", 1).met()).isFalse();
	}

}

package io.idempotent.benchmarks.measure;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SpreadTests {

	@Test
	void theMedianOfAnOddNumberIsTheOneInTheMiddle() {
		assertThat(Spread.of(9, 1, 100)).isEqualTo(new Spread(9, 1, 100));
	}

	@Test
	void theMedianOfAnEvenNumberLiesBetween() {
		assertThat(Spread.of(4, 1, 100, 2)).isEqualTo(new Spread(3, 1, 100));
	}

	@Test
	void theArrayOfRoundsIsNotModified() {
		double[] rounds = { 3, 1, 2 };
		Spread.of(rounds);
		assertThat(rounds).containsExactly(3, 1, 2);
	}

	@Test
	void aUnitConversionAppliesToMinimumMedianAndMaximum() {
		assertThat(Spread.of(1, 2, 3).times(1000)).isEqualTo(new Spread(2000, 1000, 3000));
	}

	@Test
	void aFigureThatWasReadOnceHasNoSpread() {
		assertThat(Spread.exactly(5)).isEqualTo(new Spread(5, 5, 5));
	}

}

package io.idempotent.benchmarks.report;

import io.idempotent.benchmarks.measure.Spread;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CellTests {

	@Test
	void theNumberOfDigitsDependsOnTheMagnitude() {
		assertThat(Cell.of(Spread.of(1.234, 1.234, 5))).hasToString("1.23 (1.23–5.00)");
		assertThat(Cell.of(Spread.of(12.34, 10, 99.94))).hasToString("12.3 (10.0–99.9)");
		assertThat(Cell.of(Spread.of(123.4, 100, 12_345.6))).hasToString("123 (100–12,346)");
	}

	@Test
	void aFigureWithoutASpreadStandsAlone() {
		assertThat(Cell.of(Spread.exactly(1.5))).hasToString("1.50");
	}

	@Test
	void aWholeNumberThatWasReadOnceIsWrittenAsOne() {
		assertThat(Cell.of(Spread.exactly(8))).hasToString("8");
		assertThat(Cell.of(Spread.exactly(0))).hasToString("0");
	}

	@Test
	void whatWasNotMeasuredIsADash() {
		assertThat(Cell.NONE).hasToString("–");
	}

}

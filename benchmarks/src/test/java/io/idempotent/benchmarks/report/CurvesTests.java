package io.idempotent.benchmarks.report;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CurvesTests {

	@Test
	void theHighestValueIsAtTheTopAndTheLastSecondAtTheRight() {
		Curves curves = new Curves("warm-up");
		curves.add("fast", new double[] { 60, 120 }, new double[] { 50, 200 });
		curves.add("slow", new double[] { 60, 120 }, new double[] { 0, 100 });
		assertThat(curves.draw()).contains("points=\"385.0,275.0 700.0,50.0 \"")
			.contains("points=\"385.0,350.0 700.0,200.0 \"")
			.contains(">fast</text>", ">200</text>", ">120 s</text>");
	}

}

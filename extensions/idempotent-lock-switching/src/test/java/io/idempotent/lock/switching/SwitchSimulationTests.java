package io.idempotent.lock.switching;

import java.util.stream.LongStream;

import io.idempotent.lock.switching.SwitchSimulation.Fault;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Nodes that switch engines under faults, in simulated time. A failure names its seed.
 */
@Tag("slow")
class SwitchSimulationTests {

	private static final int RUNS = Integer.getInteger("idempotent.test.simulations", 50);

	private static final int STEPS = 1_000;

	private final long seed = Long.getLong("idempotent.test.seed", 20261122L);

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void noLockHasTwoHoldersAndTokensGrow(boolean mayForget) {
		long epochs = 0;
		long grants = 0;
		for (long run = this.seed; run < this.seed + RUNS; run++) {
			SwitchSimulation simulation = new SwitchSimulation(run, mayForget, Fault.NONE);
			try {
				simulation.run(STEPS);
				assertThat(simulation.switchesWithoutFaults()).as("a switch ends if faults end").isTrue();
			}
			catch (AssertionError ex) {
				throw new AssertionError("Seed " + run, ex);
			}
			epochs += simulation.highestEpoch();
			grants += simulation.grants();
		}
		System.out.println(RUNS + " runs from seed " + this.seed + ": " + epochs + " epochs, " + grants + " grants");
		assertThat(epochs).isGreaterThan(RUNS * 5L);
		assertThat(grants).isGreaterThan(RUNS * 20L);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void aPlantedFaultIsDetected(Fault planted) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> LongStream.range(this.seed, this.seed + RUNS)
			.forEach((run) -> new SwitchSimulation(run, false, planted).run(STEPS)));
	}

	@Test
	void aRunIsTheSameWithTheSameSeed() {
		SwitchSimulation one = new SwitchSimulation(this.seed, false, Fault.NONE);
		SwitchSimulation two = new SwitchSimulation(this.seed, false, Fault.NONE);
		one.run(STEPS);
		two.run(STEPS);
		assertThat(two.grants()).isEqualTo(one.grants());
		assertThat(two.highestEpoch()).isEqualTo(one.highestEpoch());
	}

}

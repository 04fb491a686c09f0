package io.idempotent.benchmarks.simulation;

import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * The simulation agrees with the theory where there is one, and so does the arithmetic.
 */
class SimulationTests {

	private static final long SEED = 1;

	private static final Costs COSTS = new Costs(Service.fixed(20), Service.exponential(20), Service.fixed(12),
			Service.exponential(155));

	@Test
	void oneServerWithExponentialTimes() {
		Service service = Service.exponential(10);
		// 0.8 / (0.1 - 0.08)
		assertThat(simulated(1, 0.08, service)).isCloseTo(40, withinPercentage(3));
		assertThat(new Queue(1).and(0.08, service).delay()).isCloseTo(40, within(1e-9));
	}

	@Test
	void oneServerWithEqualTimes() {
		Service service = Service.fixed(10);
		// 0.8 / 2 / (0.1 - 0.08)
		assertThat(simulated(1, 0.08, service)).isCloseTo(20, withinPercentage(3));
		assertThat(new Queue(1).and(0.08, service).delay()).isCloseTo(20, within(1e-9));
	}

	@Test
	void twoServersWithExponentialTimes() {
		Service service = Service.exponential(10);
		// 0.8² / (1 - 0.8²) × 10
		assertThat(simulated(2, 0.16, service)).isCloseTo(640 / 36.0, withinPercentage(3));
		assertThat(new Queue(2).and(0.16, service).delay()).isCloseTo(640 / 36.0, within(1e-9));
	}

	@Test
	void measuredTimesHaveTheirMoments() {
		Service service = Service.sampled(new double[] { 1, 3 });
		assertThat(service.mean()).isEqualTo(2);
		assertThat(service.secondMoment()).isEqualTo(5);
		assertThat(simulated(1, 0.4, service)).isCloseTo(0.4 * 5 / 2 / 0.2, withinPercentage(3));
	}

	@Test
	void allOfItIsAsThePredictionSays() {
		Plan plan = new Plan(100_000, 8, 10, 3, false);
		Load simulated = Simulation.run(plan, COSTS, SEED, 1);
		Load predicted = Load.predicted(plan, COSTS);
		assertThat(simulated.nodes()).isCloseTo(predicted.nodes(), withinPercentage(3));
		assertThat(simulated.masters()).isCloseTo(predicted.masters(), withinPercentage(3));
		assertThat(simulated.databases()).isCloseTo(predicted.databases(), withinPercentage(3));
		assertThat(simulated.connections()).isCloseTo(predicted.connections(), withinPercentage(3));
		assertThat(simulated.mean()).isCloseTo(predicted.mean(), withinPercentage(3));
	}

	@Test
	void theSameSeedGivesTheSame() {
		Plan plan = new Plan(50_000, 8, 10, 3, false);
		assertThat(Simulation.run(plan, COSTS, SEED, 0.1)).isEqualTo(Simulation.run(plan, COSTS, SEED, 0.1))
			.isNotEqualTo(Simulation.run(plan, COSTS, SEED + 1, 0.1));
	}

	@Test
	void tooFewMastersAreFound() {
		Plan plan = new Plan(100_000, 3, 10, 3, false);
		assertThat(Load.predicted(plan, COSTS).mean()).isInfinite();
		assertThat(Simulation.run(plan, COSTS, SEED, 0.2).masters()).isCloseTo(1, within(0.01));
		assertThat(Simulation.run(plan, COSTS, SEED, 0.4).p99())
			.isGreaterThan(1.5 * Simulation.run(plan, COSTS, SEED, 0.2).p99());
	}

	@Test
	void aMasterOfAHotKeyIsFound() {
		Plan plan = new Plan(100_000, 8, 10, 3, true);
		Load simulated = Simulation.run(plan, COSTS, SEED, 0.5);
		assertThat(simulated.busiest()).isCloseTo(Load.predicted(plan, COSTS).busiest(), withinPercentage(3))
			.isGreaterThan(1.05 * simulated.masters());
	}

	/** How long a job waits on average. */
	private static double simulated(int servers, double rate, Service service) {
		SplittableRandom random = new SplittableRandom(SEED);
		Service gaps = Service.exponential(1 / rate);
		int jobs = 2_000_000;
		Station station = new Station(servers, 0, jobs / rate);
		double now = 0;
		double waited = 0;
		for (int job = 0; job < jobs; job++) {
			now += gaps.next(random);
			double time = service.next(random);
			waited += station.serve(now, time) - time - now;
		}
		assertThat(station.utilisation()).isCloseTo(rate * service.mean() / servers, withinPercentage(1));
		return waited / jobs;
	}

}

package io.idempotent.benchmarks.simulation;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * How long a server is busy with one job, in microseconds.
 *
 * @param draw one time
 * @param mean the mean
 * @param secondMoment the mean of the squares
 */
record Service(ToDoubleFunction<SplittableRandom> draw, double mean, double secondMoment) {

	static Service fixed(double micros) {
		return new Service((random) -> micros, micros, micros * micros);
	}

	static Service exponential(double mean) {
		return new Service((random) -> -mean * Math.log(1 - random.nextDouble()), mean, 2 * mean * mean);
	}

	/** Each of the measured times is as likely as the others. */
	static Service sampled(double[] micros) {
		return new Service((random) -> micros[random.nextInt(micros.length)],
				Arrays.stream(micros).average().orElseThrow(),
				Arrays.stream(micros).map((each) -> each * each).average().orElseThrow());
	}

	double next(SplittableRandom random) {
		return this.draw.applyAsDouble(random);
	}

}

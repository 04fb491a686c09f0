package io.idempotent.benchmarks.inprocess;

import java.util.concurrent.TimeUnit;

import io.idempotent.benchmarks.inprocess.Orders.Order;
import io.idempotent.benchmarks.inprocess.Warehouse.Receipt;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The same ways with an observation registry that measures times, as Spring Boot Actuator
 * configures it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ObservedPath {

	private static final KeyValues TAGS = KeyValues.of("entrance", "http", "operation", "orders", "outcome", "run");

	private final Keys keys = new Keys();

	private final Passages passages = new Passages(false, Metrics.class);

	private final Orders orders = this.passages.orders();

	private final Passage first = this.passages.to("first", this.orders::first);

	private final Passage firstWithoutBody = this.passages.withoutBodyTo("first", this.orders::first);

	private final Passage repeated = this.passages.to("repeated", this.orders::repeated);

	private final ConfigurableApplicationContext context = Application.start(false, Metrics.class);

	private final Warehouse warehouse = this.context.getBean(Warehouse.class);

	private final ObservationRegistry registry = this.context.getBean(ObservationRegistry.class);

	private final Order same = new Order(Passages.KEY, "umbrella");

	public ObservedPath() {
		this.repeated.go(Passages.KEY).require(Passages.ANSWER, false);
	}

	@TearDown
	public void stop() {
		this.passages.close();
		this.context.close();
	}

	@Benchmark
	public void first() {
		this.first.go(this.keys.next()).require(Passages.ANSWER, false);
	}

	@Benchmark
	public void firstWithoutBody() {
		this.firstWithoutBody.go(this.keys.next()).require(Passages.ANSWER, false);
	}

	@Benchmark
	public void duplicate() {
		this.repeated.go(Passages.KEY).require(Passages.ANSWER, true);
	}

	@Benchmark
	public Receipt idempotent() {
		return this.warehouse.reserve(new Order(this.keys.next(), "umbrella"));
	}

	@Benchmark
	public Receipt locked() {
		return this.warehouse.locked(this.same);
	}

	@Benchmark
	public Observation micrometer() {
		Observation observation = Observation.start("alone", this.registry).lowCardinalityKeyValues(TAGS);
		observation.stop();
		return observation;
	}

	@Configuration(proxyBeanMethods = false)
	static class Metrics {

		@Bean
		ObservationRegistry observationRegistry() {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig()
				.observationHandler(new DefaultMeterObservationHandler(new SimpleMeterRegistry()));
			return registry;
		}

	}

}

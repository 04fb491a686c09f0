package io.idempotent.benchmarks.inprocess;

import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The same way where completed outcomes are kept near by as well.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NearCachePath {

	private final Keys keys = new Keys();

	private final Passages passages = new Passages(true);

	private final Orders orders = this.passages.orders();

	private final Passage first = this.passages.to("first", this.orders::first);

	private final Passage repeated = this.passages.to("repeated", this.orders::repeated);

	public NearCachePath() {
		this.repeated.go(Passages.KEY).require(Passages.ANSWER, false);
	}

	@TearDown
	public void stop() {
		this.passages.close();
	}

	@Benchmark
	public void first() {
		this.first.go(this.keys.next()).require(Passages.ANSWER, false);
	}

	@Benchmark
	public void duplicate() {
		this.repeated.go(Passages.KEY).require(Passages.ANSWER, true);
	}

}

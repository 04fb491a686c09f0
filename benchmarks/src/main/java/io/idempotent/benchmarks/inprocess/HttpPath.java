package io.idempotent.benchmarks.inprocess;

import java.util.concurrent.TimeUnit;

import io.idempotent.benchmarks.inprocess.Orders.Order;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The way through the filter, the interceptor, the handler and back.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HttpPath {

	private final Keys keys = new Keys();

	private final Passages passages = new Passages(false);

	private final Orders orders = this.passages.orders();

	private final Passage bare = this.passages.straightTo("plain", new Orders()::plain);

	private final Passage unannotated = this.passages.to("plain", new Orders()::plain);

	private final Passage first = this.passages.to("first", this.orders::first);

	private final Passage firstWithoutBody = this.passages.withoutBodyTo("first", this.orders::first);

	private final Passage repeated = this.passages.to("repeated", this.orders::repeated);

	private final Passage content = this.passages.to("content", (body) -> this.orders.content(this.order));

	/** The body as the handler sees it, which a converter would have made of it. */
	private Order order = new Order(Passages.KEY, "umbrella");

	public HttpPath() {
		this.repeated.go(Passages.KEY).require(Passages.ANSWER, false);
	}

	@TearDown
	public void stop() {
		this.passages.close();
	}

	@Benchmark
	public void direct() {
		this.bare.go(this.keys.next()).require(Passages.ANSWER, false);
	}

	@Benchmark
	public void unannotated() {
		this.unannotated.go(this.keys.next()).require(Passages.ANSWER, false);
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
	public void contentKey() {
		this.order = new Order(this.keys.next(), "umbrella");
		this.content.go(Passages.KEY).require(Passages.ANSWER, false);
	}

	@Benchmark
	public void duplicate() {
		this.repeated.go(Passages.KEY).require(Passages.ANSWER, true);
	}

}

package io.idempotent.benchmarks.inprocess;

import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.idempotent.benchmarks.inprocess.Orders.Order;
import io.idempotent.benchmarks.inprocess.Warehouse.Receipt;
import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ReflectionUtils;

/**
 * The way through the advisors of a bean.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BeanPath {

	private final Keys keys = new Keys();

	private final Order same = new Order("8e03978e-40d5-43dd-bc93-6894a57f9324", "umbrella");

	private final @Nullable Object[] arguments = { this.same };

	private final ConfigurableApplicationContext context;

	private final Warehouse bare;

	private final Warehouse warehouse;

	private final KeyExpression expression;

	public BeanPath() {
		this.context = Application.start(false);
		this.bare = new Warehouse();
		this.warehouse = this.context.getBean(Warehouse.class);
		this.expression = KeyExpression.parse("#order.id",
				Objects.requireNonNull(ReflectionUtils.findMethod(Warehouse.class, "reserve", Order.class)));
		this.warehouse.repeat(this.same);
	}

	@TearDown
	public void stop() {
		this.context.close();
	}

	@Benchmark
	public Receipt direct() {
		return this.bare.plain(new Order(this.keys.next(), "umbrella"));
	}

	@Benchmark
	public Receipt idempotent() {
		return this.warehouse.reserve(new Order(this.keys.next(), "umbrella"));
	}

	@Benchmark
	public Receipt idempotentDuplicate() {
		return this.warehouse.repeat(this.same);
	}

	@Benchmark
	public @Nullable Object key() {
		return this.expression.evaluate(this.arguments);
	}

	@Benchmark
	public Receipt locked() {
		return this.warehouse.locked(this.same);
	}

	@Benchmark
	public Receipt lockedByKey() {
		return this.warehouse.lockedByKey(new Order(this.keys.next(), "umbrella"));
	}

}

package io.idempotent.benchmarks.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Contender.Meter;
import io.idempotent.benchmarks.measure.Contest;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Finding;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.benchmarks.server.RedisServer;

/**
 * An endpoint that takes a lock in Redis: the annotation beside locks by hand.
 */
public final class EndpointLockArea implements Area {

	private static final int CONNECTIONS = 16;

	@Override
	public String name() {
		return "endpoint-lock";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		Map<LockWay, Shop> shops = new EnumMap<>(LockWay.class);
		try {
			for (LockWay way : LockWay.values()) {
				shops.put(way, Shop.start(way));
			}
			if (effort.full()) {
				// What the JIT compiler costs is part of the start.
				for (Line line : Line.values()) {
					run(line, new Effort(true, 1, effort.turn().multipliedBy(8)), shops);
				}
			}
			List<Table.Row> rows = new ArrayList<>();
			List<Finding> findings = new ArrayList<>();
			for (Line line : Line.values()) {
				Map<LockWay, Figures> figures = run(line, effort, shops);
				figures.values().forEach((one) -> rows.add(row(line, one, of(figures, LockWay.REDISSON))));
				findings.addAll(findings(line, figures));
			}
			for (Shop shop : shops.values()) {
				shop.check();
			}
			return new Results(List.of(new Table("endpoint-lock", "An endpoint under a lock in Redis, over Tomcat",
					List.of("requests per second", "× Redisson by hand", "p50, µs", "p99, µs",
							"application, µs of CPU a request", "Redis, µs of CPU"),
					0, rows)), findings);
		}
		finally {
			shops.values().forEach(Shop::close);
		}
	}

	private static Map<LockWay, Figures> run(Line line, Effort effort, Map<LockWay, Shop> shops) throws Exception {
		int connections = effort.either(CONNECTIONS, 2);
		Map<LockWay, Contender> contenders = new EnumMap<>(LockWay.class);
		List<Load> loads = new ArrayList<>();
		for (Map.Entry<LockWay, Shop> shop : shops.entrySet()) {
			Load load = new Load(shop.getValue().application(), connections);
			loads.add(load);
			contenders.put(shop.getKey(), shop.getValue().contender(shop.getKey().label(), load, line.customers));
		}
		Map<LockWay, Figures> figures = new Contest(effort, connections).run(contenders);
		for (Load load : loads) {
			load.close();
		}
		return figures;
	}

	private static Table.Row row(Line line, Figures one, Figures redisson) {
		List<Cell> cells = new ArrayList<>(List.of(Cell.of(one.throughput()),
				Cell.of(Spread.exactly(one.throughput().median() / redisson.throughput().median())), Cell.of(one.p50()),
				Cell.of(one.p99())));
		one.used().values().forEach((used) -> cells.add(Cell.of(used)));
		return new Table.Row(line.title, one.contender(), cells);
	}

	private static List<Finding> findings(Line line, Map<LockWay, Figures> figures) {
		List<LockWay> rivals = (line == Line.FREE) ? List.of(LockWay.REDISSON)
				: List.of(LockWay.REDISSON, LockWay.SPIN, LockWay.SUBSCRIBED);
		double ours = of(figures, LockWay.STARTER).throughput().median();
		return rivals.stream()
			.map((rival) -> Finding.atLeast(
					"Lock of an endpoint, " + line.title + ": at least the requests of " + rival.label(),
					ours / of(figures, rival).throughput().median(), " ×", 1))
			.toList();
	}

	private static <T> T of(Map<LockWay, T> figures, LockWay way) {
		return Objects.requireNonNull(figures.get(way));
	}

	/** Whose locks are taken. */
	private enum Line {

		FREE("free, of one in 100,000 customers", LockedShop.CUSTOMERS),

		FEW("4 customers", 4),

		ONE("1 customer", 1);

		private final String title;

		private final int customers;

		Line(String title, int customers) {
			this.title = title;
			this.customers = customers;
		}

	}

	/**
	 * A running {@link LockedShop}.
	 *
	 * @param application the application
	 * @param redis its Redis
	 * @param sent how many requests it has answered
	 */
	private record Shop(Child application, RedisServer redis, LongAdder sent) {

		static Shop start(LockWay way) throws IOException {
			RedisServer redis = RedisServer.start();
			List<String> arguments = new ArrayList<>(way.arguments());
			arguments.add("--spring.data.redis.port=" + redis.server().port());
			return new Shop(Child.start(LockedShop.class, arguments), redis, new LongAdder());
		}

		Contender contender(String name, Load load, int customers) {
			return new Contender(name, (stopwatch) -> {
				String customer = Integer.toString(ThreadLocalRandom.current().nextInt(customers));
				load.send(stopwatch.thread(), Requests.get("/locked?customer=" + customer, "application/json"))
					.require(customer, false);
				this.sent.increment();
			}).with(List.of(new Meter("application", () -> ProtectedChild.microsOf(this.application.process())),
					new Meter("Redis", this.redis::processorMicros)));
		}

		/** Fails if two requests counted at once for a customer. */
		void check() throws IOException {
			try (Load load = new Load(this.application, 1)) {
				load.send(0, Requests.get("/counted", "application/json"))
					.require(Double.toString((double) this.sent.sum()), false);
			}
		}

		void close() {
			this.application.close();
			this.redis.close();
		}

	}

}

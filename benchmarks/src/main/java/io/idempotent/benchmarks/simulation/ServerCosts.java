package io.idempotent.benchmarks.simulation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.IntConsumer;

import io.idempotent.benchmarks.records.Records;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.benchmarks.server.Postgres;
import io.idempotent.benchmarks.server.ReceiptedOrders;
import io.idempotent.benchmarks.server.RedisServer;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Outcome;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What a real Redis and a real PostgreSQL spend on one submission.
 */
final class ServerCosts {

	private static final Outcome ANSWER = Outcome.stored(new byte[500]);

	private static final double NANOS = 1000;

	private final List<Table.Row> rows = new ArrayList<>();

	private final int calls;

	private final List<Service> redis = new ArrayList<>();

	private final List<Service> transactions = new ArrayList<>();

	ServerCosts(int calls) throws Exception {
		this.calls = calls;
		measureRedis();
		measurePostgres();
	}

	Costs withoutReceipts() {
		return new Costs(this.redis.get(0), this.redis.get(1), this.redis.get(2), this.transactions.get(0));
	}

	Costs withReceipts() {
		return new Costs(this.redis.get(0), this.redis.get(1), this.redis.get(2), this.transactions.get(1));
	}

	Table table() {
		return new Table("simulation-costs", "What a submission costs the servers", List.of("µs of CPU", "p50, µs",
				"p99, µs", "bytes received", "bytes sent", "bytes of WAL", "bytes of receipts on disk"), 0, this.rows);
	}

	/** A third of the keys is for warming up, and one for the times of single calls. */
	private void measureRedis() throws Exception {
		try (RedisServer server = RedisServer.start(); RedisClients clients = new RedisClients(server)) {
			ClaimId[] claims = new ClaimId[3 * this.calls];
			IntConsumer claim = (number) -> claims[number] = clients.of(number).claim(Records.key(number));
			IntConsumer completion = (number) -> clients.of(number)
				.complete(Objects.requireNonNull(claims[number]), ANSWER, Records.RETENTION);
			IntConsumer duplicate = (number) -> clients.of(number).duplicate(Records.key(number), ANSWER);
			for (IntConsumer kind : List.of(claim, completion, duplicate)) {
				Calibration.together(this.calls, kind);
			}
			Calibration calibration = new Calibration(
					List.of(server::processorMicros, statistic(server, "total_net_input_bytes"),
							statistic(server, "total_net_output_bytes"), () -> Double.NaN, () -> Double.NaN),
					this.rows);
			this.redis.add(measure(calibration, server, "claim", "SET", claim));
			this.redis.add(measure(calibration, server, "completion", "EVALSHA", completion));
			this.redis.add(measure(calibration, server, "duplicate", "SET", duplicate));
		}
	}

	private Service measure(Calibration calibration, RedisServer server, String name, String command, IntConsumer call)
			throws Exception {
		return calibration.measure("Redis", name, this.calls, (number) -> call.accept(this.calls + number),
				() -> slowLog(server, command, (number) -> call.accept(2 * this.calls + number)));
	}

	/** By the slow log, which all commands enter, those that a script calls as well. */
	private double[] slowLog(RedisServer server, String command, IntConsumer call) throws Exception {
		RedisServer.reply(server.commands().configSet("slowlog-max-len", String.valueOf(3 * this.calls)));
		RedisServer.reply(server.commands().slowlogReset());
		RedisServer.reply(server.commands().configSet("slowlog-log-slower-than", "0"));
		for (int number = 0; number < this.calls; number++) {
			call.accept(number);
		}
		RedisServer.reply(server.commands().configSet("slowlog-log-slower-than", "-1"));
		return RedisServer.reply(server.commands().slowlogGet(3 * this.calls))
			.stream()
			.map((entry) -> (List<?>) entry)
			.filter((entry) -> command
				.equals(new String((byte[]) ((List<?>) entry.get(3)).get(0), StandardCharsets.US_ASCII)))
			.mapToDouble((entry) -> (Long) entry.get(2))
			.toArray();
	}

	private static DoubleSupplier statistic(RedisServer server, String name) {
		return () -> Double.parseDouble(server.connection().serverCommands().info("stats").getProperty(name));
	}

	private void measurePostgres() throws Exception {
		try (Postgres postgres = Postgres.start("io/idempotent/jdbc/receipt/schema-postgresql.sql")) {
			ReceiptedOrders orders = new ReceiptedOrders(postgres.dataSource());
			Calibration.together(2 * this.calls, (number) -> orders.insertWithReceipt());
			DoubleSupplier disk = JdbcClient.create(postgres.dataSource())
				.sql("select pg_total_relation_size('idempotent_receipt')")
				.query(Double.class)::single;
			Calibration calibration = new Calibration(
					List.of(postgres::processorMicros, () -> Double.NaN, () -> Double.NaN, postgres::written, disk),
					this.rows);
			this.transactions.add(measure(calibration, "transaction", orders::insert));
			this.transactions.add(measure(calibration, "transaction with receipt", orders::insertWithReceipt));
		}
	}

	/** By the client, one after another. */
	private Service measure(Calibration calibration, String name, Runnable transaction) throws Exception {
		return calibration.measure("PostgreSQL", name, this.calls, (number) -> transaction.run(), () -> {
			double[] times = new double[this.calls];
			for (int number = 0; number < this.calls; number++) {
				long start = System.nanoTime();
				transaction.run();
				times[number] = (System.nanoTime() - start) / NANOS;
			}
			return times;
		});
	}

}

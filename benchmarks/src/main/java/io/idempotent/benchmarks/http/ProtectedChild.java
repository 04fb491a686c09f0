package io.idempotent.benchmarks.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.idempotent.benchmarks.measure.Contender.Meter;
import io.idempotent.benchmarks.server.Postgres;
import io.idempotent.benchmarks.server.RedisServer;

/**
 * A running {@link ProtectedShop}, with a Redis and a database of its own.
 */
final class ProtectedChild implements AutoCloseable {

	private static final String INSERT = "/insert";

	private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static final double KILOBYTES_PER_MEGABYTE = 1024;

	private final RedisServer redis;

	private final Postgres postgres;

	private final String database;

	private final Child shop;

	private final double millisToFirstAnswer;

	private final double megabytes;

	private ProtectedChild(RedisServer redis, Postgres postgres, String database, Child shop, long begun)
			throws IOException {
		this.redis = redis;
		this.postgres = postgres;
		this.database = database;
		this.shop = shop;
		try (Connection connection = new Connection(shop.port())) {
			insert(connection);
		}
		this.millisToFirstAnswer = (System.nanoTime() - begun) / NANOS_PER_MILLI;
		this.megabytes = residentMegabytes(shop.process());
	}

	/** Starts it and sends it one request. */
	static ProtectedChild start(Protection protection, Postgres postgres) throws IOException {
		String database = "shop_" + UUID.randomUUID().toString().replace("-", "");
		List<String> arguments = new ArrayList<>(protection.arguments());
		RedisServer redis = RedisServer.start();
		arguments.addAll(List.of("--spring.data.redis.port=" + redis.server().port(),
				"--spring.datasource.url=" + postgres.create(database), "--spring.datasource.username=postgres",
				"--spring.datasource.hikari.maximum-pool-size=16", "--spring.sql.init.mode=always",
				"--spring.sql.init.schema-locations=classpath:io/idempotent/benchmarks/http/placed-order.sql",
				"--idempotent.web.bind-to-session=false"));
		long begun = System.nanoTime();
		return new ProtectedChild(redis, postgres, database, Child.start(ProtectedShop.class, arguments), begun);
	}

	Child shop() {
		return this.shop;
	}

	double millisToFirstAnswer() {
		return this.millisToFirstAnswer;
	}

	/** The resident memory after the first request. */
	double megabytes() {
		return this.megabytes;
	}

	/** What the application computes for each of its next requests, in microseconds. */
	double microsOfAnInsert(int requests) throws IOException {
		double before = microsOf(this.shop.process());
		try (Connection connection = new Connection(this.shop.port())) {
			for (int i = 0; i < requests; i++) {
				insert(connection);
			}
		}
		return (microsOf(this.shop.process()) - before) / requests;
	}

	private static void insert(Connection connection) throws IOException {
		connection.send(Requests.byKey(INSERT, Requests.ORDER, UUID.randomUUID().toString()))
			.require(Requests.ORDER, false);
	}

	List<Meter> meters() {
		return List.of(new Meter("application", () -> microsOf(this.shop.process())),
				new Meter("Redis", this.redis::processorMicros), new Meter("database",
						() -> this.postgres.processes(this.database).mapToDouble(ProtectedChild::microsOf).sum()));
	}

	/** What is counted exactly, but takes more time to read. */
	List<Meter> counters() {
		return List.of(
				new Meter("commands", () -> this.redis.calls().values().stream().mapToLong(Long::longValue).sum()),
				new Meter("bytes to Redis", () -> this.redis.transferred("input")),
				new Meter("bytes from Redis", () -> this.redis.transferred("output")),
				new Meter("waits of a thread", this::waits), new Meter("bytes allocated", this::allocated));
	}

	/** Voluntary context switches of all threads. */
	private double waits() {
		try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(this.shop.process().pid()), "task"))) {
			double waits = 0;
			for (Path thread : threads.toList()) {
				waits += number(thread.resolve("status"), "voluntary_ctxt_switches:");
			}
			return waits;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private double allocated() {
		try (Connection connection = new Connection(this.shop.port())) {
			return Double.parseDouble(connection.send(Requests.ALLOCATED).body());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Processor time in microseconds. */
	static double microsOf(ProcessHandle process) {
		return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1000.0;
	}

	private static double residentMegabytes(ProcessHandle process) throws IOException {
		return number(Path.of("/proc", Long.toString(process.pid()), "status"), "VmRSS:") / KILOBYTES_PER_MEGABYTE;
	}

	private static double number(Path status, String name) throws IOException {
		return Files.readAllLines(status)
			.stream()
			.filter((line) -> line.startsWith(name))
			.mapToDouble((line) -> Double.parseDouble(line.replaceAll("\\D", "")))
			.findFirst()
			.orElseThrow();
	}

	@Override
	public void close() {
		this.shop.close();
		this.redis.close();
	}

}

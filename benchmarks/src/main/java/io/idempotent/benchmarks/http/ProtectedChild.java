package io.idempotent.benchmarks.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.idempotent.benchmarks.measure.Contender.Meter;
import io.idempotent.benchmarks.server.Postgres;
import io.idempotent.benchmarks.server.RedisServer;
import io.idempotent.function.ThrowingConsumer;

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

	double loadedClasses() throws IOException {
		return ask(Requests.LOADED_CLASSES);
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
		double[] waits = { 0 };
		try {
			visitThreads(this.shop.process(),
					(thread) -> waits[0] += number(thread.resolve("status"), "voluntary_ctxt_switches:"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return waits[0];
	}

	private double allocated() {
		try {
			return ask(Requests.ALLOCATED);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private double ask(byte[] request) throws IOException {
		try (Connection connection = new Connection(this.shop.port())) {
			return Double.parseDouble(connection.send(request).body());
		}
	}

	/** Processor time in microseconds. */
	static double microsOf(ProcessHandle process) {
		return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1000.0;
	}

	/** Processor time in seconds of the threads with such a name, by their id. */
	static Map<Long, Double> secondsOfThreads(ProcessHandle process, String name) throws IOException {
		Map<Long, Double> seconds = new HashMap<>();
		visitThreads(process, (thread) -> {
			if (Files.readString(thread.resolve("comm")).strip().matches(name)) {
				String[] running = Files.readString(thread.resolve("schedstat")).split(" ", -1);
				seconds.put(Long.valueOf(thread.getFileName().toString()),
						Long.parseLong(running[0]) / (double) TimeUnit.SECONDS.toNanos(1));
			}
		});
		return seconds;
	}

	private static void visitThreads(ProcessHandle process, ThrowingConsumer<Path, IOException> visitor)
			throws IOException {
		try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
			for (Path thread : threads.toList()) {
				try {
					visitor.accept(thread);
				}
				catch (NoSuchFileException ex) {
					// The thread has ended.
				}
			}
		}
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

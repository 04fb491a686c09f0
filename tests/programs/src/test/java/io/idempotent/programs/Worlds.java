package io.idempotent.programs;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Runs programs, each in a world that has what it asks for. Worlds are kept for the next
 * program, unless a thread hangs in one or a connection was not given back. Programs make
 * their applications log thousands of failures that were planned: meanwhile nothing is
 * logged.
 */
final class Worlds implements AutoCloseable {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static final Set<String> QUIET = Set.of("io.idempotent", "org.springframework", "com.zaxxer.hikari");

	private final Supplier<Databases> databases;

	private final Map<Surroundings, World> worlds = new HashMap<>();

	private final LoggingSystem logging = LoggingSystem.get(Worlds.class.getClassLoader());

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "program");
		thread.setDaemon(true);
		return thread;
	});

	Worlds(Supplier<Databases> databases) {
		this.databases = databases;
	}

	/**
	 * Runs a program.
	 * @param program the program
	 * @return what may not have come of it; nothing if all is well
	 */
	List<Deviation> run(Program program) {
		Surroundings surroundings = new Surroundings(program.receipts(), program.autoCommit(), program.jpa(),
				program.store());
		World world = this.worlds.computeIfAbsent(surroundings, this::create);
		Future<List<Deviation>> result = this.threads.submit(() -> new Play(program, world, this.threads).run());
		try {
			List<Deviation> deviations = within(result);
			if (world.activeConnections() != 0) {
				this.worlds.remove(surroundings).close();
			}
			return deviations;
		}
		catch (TimeoutException ex) {
			this.threads.execute(this.worlds.remove(surroundings)::close);
			return List.of(new Deviation(Kind.HANG, "It has not ended within " + BOUND + ":\n" + stacks()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The program cannot be run:\n" + program, ex.getCause());
		}
	}

	/** Waits longer on a machine with more to do than it has processors for. */
	private static List<Deviation> within(Future<List<Deviation>> result)
			throws InterruptedException, ExecutionException, TimeoutException {
		try {
			return result.get(BOUND.toSeconds(), TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
			double busy = machine.getSystemLoadAverage() / machine.getAvailableProcessors();
			return result.get((long) (BOUND.toSeconds() * (Math.max(1, busy) - 1)), TimeUnit.SECONDS);
		}
	}

	private World create(Surroundings surroundings) {
		ProgramStore store = (surroundings.store() == StoreKind.REDIS) ? new RedisProgramStore()
				: new LocalProgramStore();
		World world = new World(this.databases.get(), surroundings.receipts(), surroundings.autoCommit(),
				surroundings.jpa(), store);
		QUIET.forEach((name) -> this.logging.setLogLevel(name, LogLevel.OFF));
		return world;
	}

	private static String stacks() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((each) -> each.getKey().getName().equals("program") && each.getValue().length > 12)
			.map((each) -> List.of(each.getValue()).stream().map(Object::toString).collect(Collectors.joining("\n\t")))
			.collect(Collectors.joining("\n\n"));
	}

	@Override
	public void close() {
		this.worlds.values().forEach(World::close);
		this.threads.shutdownNow();
		QUIET.forEach((name) -> this.logging.setLogLevel(name, null));
	}

	private record Surroundings(boolean receipts, boolean autoCommit, boolean jpa, StoreKind store) {
	}

}

package io.idempotent.switching;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.idempotent.switching.NodeArguments.Manner;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.JavaProcess;
import io.idempotent.testing.Unchecked;

/**
 * A node that is killed, paused and cut off, and started again. It reaches each server,
 * and the authority, through a network of its own.
 */
final class NodeProcess implements AutoCloseable {

	private static final int LINES_SHOWN = 10;

	private final String name;

	private final Path directory;

	private final Engines authority;

	private final Manner manner;

	private final Random seeds;

	private final Consumer<String> reports;

	private final FaultyProxy toAuthority;

	private final Map<Engines, FaultyProxy> toEngines = new EnumMap<>(Engines.class);

	private JavaProcess process;

	private Path log;

	private int lives;

	NodeProcess(String name, Path directory, Servers servers, Engines authority, Manner manner, long seed,
			Consumer<String> reports) {
		this.name = name;
		this.directory = directory;
		this.authority = authority;
		this.manner = manner;
		this.seeds = new Random(seed);
		this.reports = reports;
		this.toAuthority = new FaultyProxy("127.0.0.1", servers.port(authority));
		for (Engines engine : Engines.values()) {
			this.toEngines.put(engine, new FaultyProxy("127.0.0.1", servers.port(engine)));
		}
	}

	/** Starts the node, with a new log of its own. */
	void start() throws IOException {
		String life = this.name + "-" + ++this.lives;
		Map<Engines, Integer> ports = new EnumMap<>(Engines.class);
		this.toEngines.forEach((engine, proxy) -> ports.put(engine, proxy.port()));
		this.log = this.directory.resolve(life + SectionLog.SUFFIX);
		NodeArguments arguments = new NodeArguments(this.log, this.seeds.nextLong(), this.authority,
				this.toAuthority.port(), ports, this.directory.getFileName().toString(), this.manner);
		this.process = JavaProcess.start(JavaProcess.command(SwitchingNode.class, arguments.toList())
			.redirectErrorStream(false)
			.redirectError(errors().toFile()), this.reports);
	}

	void kill() {
		this.process.kill();
	}

	/**
	 * Pauses the node. It continues even if this JVM ends meanwhile.
	 * @param millis for how long
	 */
	void pause(long millis) {
		this.process.pauseDuring(() -> TimeUnit.MILLISECONDS.sleep(millis));
	}

	/**
	 * Whether the node was granted a lock after a time.
	 * @param time by {@link System#nanoTime()}
	 * @return whether its log has such a section
	 */
	boolean hasSectionAfter(long time) {
		return Unchecked.call(() -> Files.exists(this.log)
				&& SectionLog.read(this.log).stream().anyMatch((section) -> section.from() > time));
	}

	/** Writes the stacks of its threads beside its log. */
	void dumpThreads() throws IOException {
		Files.writeString(this.directory.resolve(this.name + "-" + this.lives + ".threads"),
				this.process.jcmd("Thread.print"));
	}

	/** The node with the last that it logged, for the message of a failed test. */
	@Override
	public String toString() {
		String state = this.process.isAlive() ? "runs" : "ended with status " + this.process.awaitEnd();
		return this.log.getFileName() + " " + state + ": " + lastLines();
	}

	private List<String> lastLines() {
		try {
			List<String> lines = Files.readAllLines(errors());
			return lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size());
		}
		catch (IOException ex) {
			return List.of(ex.toString());
		}
	}

	private Path errors() {
		return this.directory.resolve(this.name + "-" + this.lives + ".log");
	}

	/** The network to the authority, and that to the server of each engine. */
	FaultyProxy toAuthority() {
		return this.toAuthority;
	}

	FaultyProxy to(Engines engine) {
		return this.toEngines.get(engine);
	}

	List<FaultyProxy> toAll() {
		List<FaultyProxy> all = new ArrayList<>(this.toEngines.values());
		all.add(this.toAuthority);
		return all;
	}

	@Override
	public void close() {
		kill();
		toAll().forEach(FaultyProxy::close);
	}

}

package io.idempotent.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A {@link CrashApplication} in a process of its own, which does not outlive this one.
 */
final class CrashProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration START = Duration.ofMinutes(2);

	private final Process process;

	private final Writer orders;

	private final Set<String> reached = ConcurrentHashMap.newKeySet();

	private final Queue<String> log = new ConcurrentLinkedQueue<>();

	private final CompletableFuture<Integer> port = new CompletableFuture<>();

	/**
	 * Starts a process and does not wait for it.
	 * @param arguments of the application
	 */
	CrashProcess(List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
						"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
						CrashApplication.class.getName(), "--server.port=0", "--spring.main.banner-mode=off"));
		command.addAll(arguments);
		this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		this.orders = this.process.outputWriter(StandardCharsets.UTF_8);
		Thread listener = new Thread(this::listen, "crash-process-" + this.process.pid());
		listener.setDaemon(true);
		listener.start();
	}

	private void listen() {
		try (BufferedReader lines = this.process.inputReader(StandardCharsets.UTF_8)) {
			lines.lines().forEach(this::hear);
		}
		catch (IOException | UncheckedIOException ex) {
			this.log.add(ex.toString());
		}
		this.port.completeExceptionally(new IllegalStateException("The process has ended:\n" + log()));
	}

	private void hear(String line) {
		if (line.startsWith(Breakpoints.REACHED)) {
			this.reached.add(line.substring(Breakpoints.REACHED.length()));
		}
		else if (line.startsWith(CrashApplication.LISTENING)) {
			this.port.complete(Integer.valueOf(line.substring(CrashApplication.LISTENING.length())));
		}
		else {
			this.log.add(line);
		}
	}

	int port() {
		return assertThat(this.port).as(this::log).succeedsWithin(START).actual();
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	private String log() {
		return String.join("\n", this.log);
	}

	/**
	 * Waits until each request stands at its point.
	 * @param keys the keys of the requests
	 */
	void awaitReached(Collection<String> keys) {
		Awaitility.await()
			.atMost(PATIENCE)
			.untilAsserted(() -> assertThat(keys).as(this::log).allMatch(this.reached::contains));
	}

	void halt() {
		order(CrashApplication.HALT);
		awaitEnd(this.process);
	}

	void kill() {
		awaitEnd(this.process.destroyForcibly());
	}

	private static void awaitEnd(Process process) {
		assertThat(process.onExit()).as("the end of process %d", process.pid()).succeedsWithin(PATIENCE);
	}

	void goOn() {
		order(CrashApplication.GO_ON);
	}

	StoppedProcess stop() {
		return new StoppedProcess(this.process.pid());
	}

	private void order(String order) {
		try {
			this.orders.write(order + "\n");
			this.orders.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		kill();
	}

	/**
	 * A process that stands still until this is closed or this JVM ends, however it does.
	 */
	static final class StoppedProcess implements AutoCloseable {

		private static final String SCRIPT = """
				trap '' HUP INT TERM
				kill -STOP "$1" && echo stopped
				read -r nothing
				kill -CONT "$1"
				""";

		private final Process script;

		private StoppedProcess(long pid) {
			try {
				this.script = new ProcessBuilder("/bin/sh", "-c", SCRIPT, "stop", Long.toString(pid))
					.redirectError(Redirect.INHERIT)
					.start();
				if (!"stopped".equals(this.script.inputReader().readLine())) {
					throw new IOException("Process " + pid + " could not be stopped");
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public void close() {
			try {
				this.script.getOutputStream().close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			awaitEnd(this.script);
		}

	}

}

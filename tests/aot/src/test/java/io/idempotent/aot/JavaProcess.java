package io.idempotent.aot;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;

/**
 * A JVM of its own.
 */
final class JavaProcess implements AutoCloseable {

	private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final Process process;

	private final Path log;

	private JavaProcess(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	/**
	 * Starts a JVM.
	 * @param javaHome the JDK
	 * @param log where its output goes
	 * @param arguments JVM arguments, main class and arguments
	 * @return the process
	 */
	static JavaProcess start(Path javaHome, Path log, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(javaHome.resolve("bin").resolve("java").toString());
		command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
		command.addAll(arguments);
		return new JavaProcess(
				new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(), log);
	}

	/** Waits until the process has ended by itself, without a failure. */
	void awaitEnd() throws InterruptedException {
		if (!this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || this.process.exitValue() != 0) {
			throw new IllegalStateException("It did not end with 0:\n" + log());
		}
	}

	/** Waits until the web server has started. */
	int awaitPort() {
		return awaitPort(1);
	}

	/** Waits until the web server has started a number of times. */
	int awaitPort(int starts) {
		Awaitility.await().atMost(PATIENCE).until(() -> ports().size() >= starts || !this.process.isAlive());
		if (ports().size() < starts) {
			throw new IllegalStateException("No web server was started:\n" + log());
		}
		return ports().get(starts - 1);
	}

	private List<Integer> ports() {
		return STARTED.matcher(log()).results().map((match) -> Integer.valueOf(match.group(1))).toList();
	}

	/** What the JVM says of itself. */
	List<String> jcmd(String command) throws IOException {
		Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
		Process asked = new ProcessBuilder(tool.toString(), Long.toString(this.process.pid()), command)
			.redirectErrorStream(true)
			.start();
		try (BufferedReader lines = asked.inputReader(StandardCharsets.UTF_8)) {
			return lines.lines().toList();
		}
	}

	/** Asks the process to end, as an operator does, and waits for it. */
	int stop() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
			throw new IllegalStateException("It does not end:\n" + log());
		}
		return this.process.exitValue();
	}

	String log() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().orTimeout(30, TimeUnit.SECONDS).join();
	}

}

package io.idempotent.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A JVM of its own that can be killed and paused, and whose output is kept. Its standard
 * input ends when this JVM does, however that ends.
 */
public final class JavaProcess implements AutoCloseable {

	/**
	 * What makes a JVM start fast that ends before compiled code has paid for C2, and
	 * whose classes compilers have made.
	 */
	public static final List<String> FAST_START = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
			"-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote");

	private static final Duration PATIENCE = Duration.ofMinutes(4);

	/** The process goes on when the standard input of this script ends. */
	private static final String PAUSE = """
			trap '' HUP INT TERM
			kill -STOP "$1" && echo stopped
			read -r nothing
			kill -CONT "$1"
			""";

	private final Process process;

	private final Writer input;

	private final Thread listener;

	private final List<String> lines = new ArrayList<>();

	private boolean ended;

	private JavaProcess(Process process, Consumer<String> listener) {
		this.process = process;
		this.input = process.outputWriter(StandardCharsets.UTF_8);
		// Whoever reads from a process cannot be interrupted.
		this.listener = new Thread(() -> listen(listener), "output-of-" + process.pid());
		this.listener.setDaemon(true);
		this.listener.start();
	}

	/** A small JVM with the class path of this one, which starts fast. */
	public static ProcessBuilder command(Class<?> main, List<String> arguments) {
		List<String> command = new ArrayList<>(List.of(tool("java"), "-Xmx192m"));
		command.addAll(FAST_START);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(arguments);
		return new ProcessBuilder(command).redirectErrorStream(true);
	}

	public static JavaProcess start(Class<?> main, List<String> arguments) {
		return start(command(main, arguments));
	}

	public static JavaProcess start(ProcessBuilder command) {
		return start(command, (line) -> {
		});
	}

	/**
	 * Starts a process.
	 * @param command the command
	 * @param listener is passed each line that it prints
	 * @return the process
	 */
	public static JavaProcess start(ProcessBuilder command, Consumer<String> listener) {
		return new JavaProcess(Unchecked.call(command::start), listener);
	}

	/** For the end of a {@code main} method: the process must not outlive its parent. */
	public static void endWithParent() throws IOException {
		System.in.transferTo(OutputStream.nullOutputStream());
		Runtime.getRuntime().halt(0);
	}

	private void listen(Consumer<String> listener) {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				listener.accept(line);
				synchronized (this.lines) {
					this.lines.add(line);
					this.lines.notifyAll();
				}
			}
		}
		catch (IOException ex) {
			// It was killed.
		}
		synchronized (this.lines) {
			this.ended = true;
			this.lines.notifyAll();
		}
	}

	/**
	 * Waits for a line.
	 * @param regex matches a part of it
	 * @return the part, or its first group
	 */
	public String await(String regex) {
		return await(regex, 1);
	}

	/**
	 * Waits for a number of lines.
	 * @param regex matches a part of each
	 * @param count how many
	 * @return the part of the last one, or its first group
	 */
	public String await(String regex, int count) {
		long end = System.nanoTime() + PATIENCE.toNanos();
		synchronized (this.lines) {
			List<String> found = find(regex).toList();
			while (found.size() < count) {
				long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
				if (this.ended || left <= 0) {
					throw new IllegalStateException("'" + regex + "' was not printed by\n" + log());
				}
				Unchecked.run(() -> this.lines.wait(left));
				found = find(regex).toList();
			}
			return found.get(count - 1);
		}
	}

	/** The matches in the lines so far, or the first group of each. */
	public Stream<String> find(String regex) {
		Pattern pattern = Pattern.compile(regex);
		return lines().stream()
			.map(pattern::matcher)
			.filter(Matcher::find)
			.map((match) -> match.group(Math.min(1, match.groupCount())));
	}

	public List<String> lines() {
		synchronized (this.lines) {
			return List.copyOf(this.lines);
		}
	}

	public String log() {
		return String.join("\n", lines());
	}

	/** Writes a line to its standard input. */
	public void send(String line) {
		Unchecked.run(() -> {
			this.input.write(line + "\n");
			this.input.flush();
		});
	}

	/** What the JVM reports of itself. */
	public String jcmd(String command) {
		return Unchecked.call(() -> {
			Process asked = new ProcessBuilder(tool("jcmd"), pid(), command).redirectErrorStream(true).start();
			return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		});
	}

	/** Pauses the process during some work, which ends with this JVM. */
	public void pauseDuring(Work work) {
		Unchecked.run(() -> {
			Process script = new ProcessBuilder("/bin/sh", "-c", PAUSE, "pause", pid()).redirectError(Redirect.INHERIT)
				.start();
			try {
				if (!"stopped".equals(script.inputReader().readLine())) {
					throw new IOException("Process " + pid() + " could not be stopped");
				}
				work.run();
			}
			finally {
				script.getOutputStream().close();
			}
			awaitEnd(script);
		});
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Waits until it has ended by itself, with all its output, and returns its status.
	 */
	public int awaitEnd() {
		try {
			awaitEnd(this.process);
			Unchecked.run(() -> this.listener.join(PATIENCE.toMillis()));
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException("It does not end:\n" + log(), ex);
		}
		return this.process.exitValue();
	}

	/**
	 * Ends its standard input, waits until it ends well, however long, and returns its
	 * output.
	 */
	public List<String> finish() {
		Unchecked.run(this.input::close);
		this.process.onExit().join();
		if (awaitEnd() != 0) {
			throw new IllegalStateException("It failed:\n" + log());
		}
		return lines();
	}

	/** Asks it to end ({@code SIGTERM}), waits, and returns its status. */
	public int terminate() {
		this.process.destroy();
		return awaitEnd();
	}

	/** Kills it ({@code SIGKILL}). */
	public void kill() {
		awaitEnd(this.process.destroyForcibly());
	}

	@Override
	public void close() {
		kill();
	}

	private String pid() {
		return Long.toString(this.process.pid());
	}

	private static void awaitEnd(Process process) {
		process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
	}

	private static String tool(String name) {
		return Path.of(System.getProperty("java.home"), "bin", name).toString();
	}

	/**
	 * What may fail.
	 */
	public interface Work {

		void run() throws Exception;

	}

}

package io.idempotent.leftovers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Finds processes of tests by an environment variable that Surefire sets and that every
 * process inherits. Only Linux shows the environment of other processes; elsewhere none
 * is found.
 */
public final class RemainingProcesses {

	private static final Path PROC = Path.of("/proc");

	private static final String VARIABLE = "TESTS_OF_IDEMPOTENT";

	private RemainingProcesses() {
	}

	/**
	 * Waits until no process of the build's tests is left.
	 * @param root the root of the build
	 * @param patience how long to wait
	 * @return the processes that are left, each with its module
	 */
	public static List<String> of(Path root, Duration patience) {
		return Patience.untilEmpty(patience, () -> find(root));
	}

	/** The root of the build whose tests this JVM runs, or {@code null}. */
	static @Nullable Path rootOfThisJvm() {
		String mark = System.getenv(VARIABLE);
		return (mark != null) ? Path.of(mark.substring(0, mark.lastIndexOf(':'))) : null;
	}

	private static List<String> find(Path root) {
		if (!Files.isReadable(PROC.resolve("self/environ"))) {
			return List.of();
		}
		String mark = VARIABLE + "=" + root + ":";
		try (Stream<Path> processes = Files.list(PROC)) {
			return processes.filter((process) -> process.getFileName().toString().matches("\\d+"))
				.flatMap((process) -> module(process, mark).map((module) -> module + ": " + command(process)).stream())
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Optional<String> module(Path process, String mark) {
		return Stream.of(read(process.resolve("environ")).split("\0"))
			.filter((variable) -> variable.startsWith(mark))
			.map((variable) -> variable.substring(mark.length()))
			.findFirst();
	}

	private static String command(Path process) {
		return process.getFileName() + " " + read(process.resolve("cmdline")).replace('\0', ' ').strip();
	}

	/** Empty if the process has ended, or belongs to somebody else. */
	private static String read(Path file) {
		try {
			return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			return "";
		}
	}

}

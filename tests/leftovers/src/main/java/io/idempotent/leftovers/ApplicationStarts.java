package io.idempotent.leftovers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How often tests started a Spring application, and how long that took. Not among them
 * are the contexts of {@code ApplicationContextRunner}, which are no applications, and
 * those of modules or processes without this module on their class path.
 *
 * @param count how many were started, or failed to start
 * @param time how long those took that were started
 */
public record ApplicationStarts(int count, Duration time) {

	private static final String FILE = "target/application-starts";

	/**
	 * Reads what the tests of a build have recorded.
	 * @param root the root of the build
	 * @param since when the build started
	 * @return the starts of that build
	 */
	public static ApplicationStarts of(Path root, Instant since) {
		Path file = root.resolve(FILE);
		if (!Files.exists(file)) {
			return new ApplicationStarts(0, Duration.ZERO);
		}
		try {
			List<long[]> starts = Files.readAllLines(file)
				.stream()
				.map((line) -> line.split(" "))
				.map((fields) -> new long[] { Long.parseLong(fields[0]), Long.parseLong(fields[1]) })
				.filter((start) -> start[0] >= since.toEpochMilli())
				.toList();
			return new ApplicationStarts(starts.size(),
					Duration.ofMillis(starts.stream().mapToLong((start) -> start[1]).sum()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * One line, which the system appends as a whole whatever other JVMs append: when it
	 * was started, how long that took in milliseconds, and what was started.
	 */
	static void record(Duration time, String application) {
		Path root = RemainingProcesses.rootOfThisJvm();
		if (root == null) {
			return;
		}
		try {
			Path file = root.resolve(FILE);
			Files.createDirectories(file.getParent());
			Files.writeString(file, System.currentTimeMillis() + " " + time.toMillis() + " " + application + "\n",
					StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

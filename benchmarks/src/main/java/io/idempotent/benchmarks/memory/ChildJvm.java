package io.idempotent.benchmarks.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.idempotent.benchmarks.measure.Java;

/**
 * A JVM of its own, whose heap holds nothing else.
 */
final class ChildJvm {

	private static final String MARK = "figures: ";

	private ChildJvm() {
	}

	/**
	 * Runs a program to its end.
	 * @param program the class with its main method
	 * @param heap the largest heap, such as {@code 256m}
	 * @param arguments its arguments
	 * @return what it has {@linkplain #report reported}, a line each
	 */
	static List<double[]> run(Class<?> program, String heap, List<String> arguments)
			throws IOException, InterruptedException {
		List<String> command = Java.command(program, "-Xmx" + heap, "-XX:+UseSerialGC");
		command.addAll(arguments);
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		try {
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (process.waitFor() != 0) {
				throw new IllegalStateException(program.getSimpleName() + " failed. It said:\n" + output);
			}
			return output.lines().filter((line) -> line.startsWith(MARK)).map(ChildJvm::figures).toList();
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static double[] figures(String line) {
		return List.of(line.substring(MARK.length()).split(" ")).stream().mapToDouble(Double::parseDouble).toArray();
	}

	/** Says figures from within such a JVM. */
	static void report(long... figures) {
		StringBuilder line = new StringBuilder(MARK);
		for (int i = 0; i < figures.length; i++) {
			line.append((i > 0) ? " " : "").append(figures[i]);
		}
		System.out.println(line);
	}

}

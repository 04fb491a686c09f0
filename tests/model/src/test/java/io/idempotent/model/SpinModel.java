package io.idempotent.model;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A model in Promela. {@code spin} turns it into a verifier in C, which visits every
 * state that the model can reach.
 */
final class SpinModel {

	private static final long TIMEOUT_MINUTES = 10;

	private final String name;

	private final Path directory;

	SpinModel(String name, Path directory) {
		this.name = name;
		this.directory = directory;
	}

	/**
	 * Returns the commands that {@code spin} needs and that are not on the path.
	 */
	static List<String> missingCommands() {
		return List.of("spin", "cc", "gcc").stream().filter((command) -> !isOnPath(command)).toList();
	}

	private static boolean isOnPath(String command) {
		return List.of(System.getenv("PATH").split(File.pathSeparator))
			.stream()
			.anyMatch((entry) -> Files.isExecutable(Path.of(entry, command)));
	}

	/**
	 * Looks for a state that violates an assertion.
	 */
	Verification verifyStates(String... definitions) {
		return verify(List.of(definitions), List.of("-DSAFETY"), List.of("-m1000000"));
	}

	/**
	 * Looks for an infinite run, fair to every process, that violates the model's
	 * formula.
	 */
	Verification verifyRuns(String... definitions) {
		return verify(List.of(definitions), List.of("-DNFAIR=3"), List.of("-m1000000", "-a", "-f"));
	}

	private Verification verify(List<String> definitions, List<String> compilation, List<String> search) {
		try (InputStream model = getClass().getResourceAsStream("/" + this.name)) {
			assertThat(model).as(this.name).isNotNull();
			Path work = Files.createTempDirectory(this.directory, "spin");
			Files.copy(model, work.resolve(this.name));
			List<String> spin = new ArrayList<>(List.of("spin", "-a"));
			definitions.forEach((definition) -> spin.add("-D" + definition));
			spin.add(this.name);
			run(work, spin);
			// The search of a mutant ends sooner than a better compilation.
			String optimization = definitions.contains("MUTANT") ? "-O1" : "-O2";
			List<String> cc = new ArrayList<>(
					List.of("cc", optimization, "-w", "-DNOREDUCE", "-DMEMLIM=3500", "-o", "pan", "pan.c"));
			cc.addAll(compilation);
			run(work, cc);
			List<String> pan = new ArrayList<>(List.of("./pan", "-n"));
			pan.addAll(search);
			return Verification.of(run(work, pan));
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	private static String run(Path work, List<String> command) throws IOException {
		Path log = work.resolve("log");
		Process process = new ProcessBuilder(command).directory(work.toFile())
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		try {
			boolean ended = process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES);
			String output = Files.readString(log);
			assertThat(ended).as("%s ends in time: %s", command, output).isTrue();
			assertThat(process.exitValue()).as("%s: %s", command, output).isZero();
			return output;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
		finally {
			process.destroyForcibly();
		}
	}

	/**
	 * What the verifier has found.
	 *
	 * @param errors the number of violations, at most one since the search ends there
	 * @param violated the condition that was violated, empty if none was
	 * @param states the number of different states
	 * @param depth the length of the longest path
	 * @param complete whether every state was visited
	 */
	record Verification(int errors, String violated, long states, long depth, boolean complete) {

		static Verification of(String output) {
			return new Verification((int) number(output, "errors: (\\d+)"), text(output, "pan:1: (.*) \\(at depth"),
					number(output, "(\\d+) states, stored"), number(output, "depth reached (\\d+)"),
					!output.contains("Search not completed") && !output.contains("max search depth too small"));
		}

		private static long number(String output, String pattern) {
			String digits = text(output, pattern);
			assertThat(digits).as("%s in %s", pattern, output).isNotEmpty();
			return Long.parseLong(digits);
		}

		private static String text(String output, String pattern) {
			Matcher matcher = Pattern.compile(pattern).matcher(output);
			return matcher.find() ? matcher.group(1) : "";
		}

	}

}

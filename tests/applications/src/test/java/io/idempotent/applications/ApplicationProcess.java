package io.idempotent.applications;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A running application. Its output is read as far as something is awaited in it.
 */
record ApplicationProcess(Process process, BufferedReader output) implements AutoCloseable {

	static ApplicationProcess start(Path jar, String... arguments) throws IOException {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		List<String> command = Stream
			.concat(Stream.of(java, "-XX:TieredStopAtLevel=1", "-jar", jar.toString()), Stream.of(arguments))
			.toList();
		return start(new ProcessBuilder(command));
	}

	/** Starts a command with the JDK of this test. */
	static ApplicationProcess start(ProcessBuilder command) throws IOException {
		command.environment().put("JAVA_HOME", System.getProperty("java.home"));
		Process process = command.redirectErrorStream(true).start();
		return new ApplicationProcess(process, process.inputReader());
	}

	/** Waits for a line with a text. */
	void await(String text) throws IOException {
		await(Pattern.compile(Pattern.quote(text)));
	}

	/** Waits for a line. */
	Matcher await(Pattern pattern) throws IOException {
		List<String> lines = new ArrayList<>();
		for (String line = this.output.readLine(); line != null; line = this.output.readLine()) {
			lines.add(line);
			Matcher matcher = pattern.matcher(line);
			if (matcher.find()) {
				return matcher;
			}
		}
		throw new AssertionError("Ended without '" + pattern + "':\n" + String.join("\n", lines));
	}

	/** Reads its output to the end. */
	List<String> rest() {
		return this.output.lines().toList();
	}

	/**
	 * Closes its standard input and reads its output to the end, which must be a good
	 * one.
	 */
	List<String> finish() throws IOException, InterruptedException {
		this.process.getOutputStream().close();
		List<String> lines = rest();
		if (this.process.waitFor() != 0) {
			throw new AssertionError("Failed:\n" + String.join("\n", lines));
		}
		return lines;
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}

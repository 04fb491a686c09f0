package io.idempotent.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands that start a JVM of its own with our class path.
 */
public final class Java {

	private Java() {
	}

	/**
	 * The command that starts a program. Where this JVM leaves out compilers or the
	 * verification of classes, as in tests, so does the other.
	 * @param program the class with its main method
	 * @param options of the JVM, such as its heap
	 * @return the command, to which the program's arguments are added
	 */
	public static List<String> command(Class<?> program, String... options) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		ManagementFactory.getRuntimeMXBean()
			.getInputArguments()
			.stream()
			.filter((argument) -> argument.matches("-XX:(TieredStopAtLevel|.UnlockDiagnostic|.BytecodeVerification).*"))
			.forEach(command::add);
		command.addAll(List.of(options));
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
		return command;
	}

}

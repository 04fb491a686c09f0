package io.idempotent.applications;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;

import io.idempotent.testing.JavaProcess;

/**
 * An executable jar that the build has made of a project in {@code src/it}.
 *
 * @param jar where it is
 */
record Application(Path jar) {

	private static final String LIBRARIES = "BOOT-INF/lib/";

	static Application named(String project) {
		return new Application(Path.of("target", "it", project, "target", "application.jar"));
	}

	/** The names of the jars on its class path. */
	List<String> libraries() throws IOException {
		try (JarFile contents = new JarFile(this.jar.toFile())) {
			return contents.stream()
				.map((entry) -> entry.getName())
				.filter((name) -> name.startsWith(LIBRARIES) && name.endsWith(".jar"))
				.map((name) -> name.substring(LIBRARIES.length()))
				.toList();
		}
	}

	JavaProcess start(String... arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
		command.addAll(JavaProcess.FAST_START);
		command.addAll(List.of("-jar", this.jar.toString()));
		command.addAll(List.of(arguments));
		return JavaProcess.start(new ProcessBuilder(command).redirectErrorStream(true));
	}

}

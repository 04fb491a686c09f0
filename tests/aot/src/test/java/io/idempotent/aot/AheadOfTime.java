package io.idempotent.aot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import io.idempotent.testing.JavaProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes an application ahead of time, as the goal {@code process-aot} of Spring
 * Boot's Maven plugin does: runs Spring Boot's processor in a JVM of its own, and
 * compiles what it generates.
 */
final class AheadOfTime {

	private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

	private AheadOfTime() {
	}

	/**
	 * Processes an application.
	 * @param mainClass its main class
	 * @param classPath its class path
	 * @param directory where the results go
	 * @param arguments the arguments that decide on conditions
	 * @return the class path of the processed application
	 */
	static ClassPath process(String mainClass, ClassPath classPath, Path directory, List<String> arguments)
			throws Exception {
		Path sources = Files.createDirectories(directory.resolve("sources"));
		Path resources = Files.createDirectories(directory.resolve("resources"));
		Path classes = Files.createDirectories(directory.resolve("classes"));
		List<String> command = new ArrayList<>(List.of("-cp", classPath.toString(),
				"org.springframework.boot.SpringApplicationAotProcessor", mainClass, sources.toString(),
				resources.toString(), classes.toString(), "io.idempotent", "application"));
		command.addAll(arguments);
		run(command);
		compile(sources, classPath.after(classes), classes);
		return classPath.after(classes, resources);
	}

	/** Starts a processed application. */
	static JavaProcess start(String mainClass, ClassPath processed, List<String> arguments) {
		List<String> command = new ArrayList<>(
				List.of("-Dspring.aot.enabled=true", "-cp", processed.toString(), Launcher.class.getName(), mainClass));
		command.addAll(arguments);
		return java(JAVA_HOME, command);
	}

	/** Runs a JVM until it ends by itself, without a failure. */
	private static void run(List<String> arguments) {
		try (JavaProcess process = java(JAVA_HOME, arguments)) {
			assertThat(process.awaitEnd()).as(process::log).isZero();
		}
	}

	/**
	 * Starts a JVM.
	 * @param javaHome the JDK
	 * @param arguments JVM arguments, main class and arguments
	 * @return the process
	 */
	static JavaProcess java(Path javaHome, List<String> arguments) {
		List<String> command = new ArrayList<>(List.of(javaHome.resolve("bin").resolve("java").toString(), "-Xmx256m",
				"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
		command.addAll(arguments);
		return JavaProcess.start(new ProcessBuilder(command).redirectErrorStream(true));
	}

	/** Waits until the web server has started a number of times. */
	static int awaitPort(JavaProcess application, int starts) {
		return Integer.parseInt(application.await("Tomcat started on port (\\d+)", starts));
	}

	private static void compile(Path sources, ClassPath classPath, Path classes) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
				Stream<Path> generated = Files.walk(sources)) {
			List<Path> units = generated.filter((file) -> file.toString().endsWith(".java")).toList();
			List<String> options = List.of("-nowarn", "-proc:none", "-cp", classPath.toString(), "-d",
					classes.toString());
			if (!compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(units)).call()) {
				throw new IllegalStateException("The generated sources do not compile");
			}
		}
	}

}

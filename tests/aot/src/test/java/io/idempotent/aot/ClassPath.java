package io.idempotent.aot;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path of an application.
 *
 * @param entries directories and JARs, in their order
 */
record ClassPath(List<Path> entries) {

	/** What only this JVM needs. */
	private static final List<String> TESTING = List.of("spring-boot-devtools", "spring-boot-test", "spring-test",
			"surefire", "junit");

	/** That of this JVM, without what only tests need. */
	static ClassPath ofTests() {
		return new ClassPath(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter((entry) -> TESTING.stream().noneMatch(entry.getFileName().toString()::startsWith))
			.toList());
	}

	ClassPath without(Path entry) {
		return new ClassPath(this.entries.stream().filter((each) -> !each.equals(entry)).toList());
	}

	/** The same with other entries in front. */
	ClassPath after(Path... first) {
		List<Path> all = new ArrayList<>(List.of(first));
		all.addAll(this.entries);
		return new ClassPath(all);
	}

	/**
	 * The same with a JAR for each directory: an archive of classes accepts nothing else.
	 */
	ClassPath ofJars(Path directory) throws IOException {
		List<Path> jars = new ArrayList<>();
		for (Path entry : this.entries) {
			jars.add(Files.isDirectory(entry) ? jar(entry, directory.resolve("part-" + jars.size() + ".jar")) : entry);
		}
		return new ClassPath(Collections.unmodifiableList(jars));
	}

	private static Path jar(Path content, Path jar) throws IOException {
		try (OutputStream file = Files.newOutputStream(jar);
				JarOutputStream out = new JarOutputStream(file);
				Stream<Path> files = Files.walk(content)) {
			for (Path each : files.filter(Files::isRegularFile).toList()) {
				out.putNextEntry(new JarEntry(content.relativize(each).toString()));
				Files.copy(each, out);
				out.closeEntry();
			}
		}
		return jar;
	}

	@Override
	public String toString() {
		return this.entries.stream()
			.filter(Files::exists)
			.map(Path::toString)
			.collect(Collectors.joining(File.pathSeparator));
	}

}

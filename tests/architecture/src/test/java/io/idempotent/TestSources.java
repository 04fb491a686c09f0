package io.idempotent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads the files of the project, and finds the tests that pages of the documentation
 * name.
 */
final class TestSources {

	static final Path ROOT = Path.of("..", "..");

	private final Map<String, List<Path>> classes = Stream.of("modules", "extensions", "tests", "sample-order-app")
		.flatMap((directory) -> files(directory, ".java"))
		.collect(Collectors.groupingBy((file) -> file.getFileName().toString().replace(".java", "")));

	/** The contents of the pages below docs. */
	static Stream<String> pages() {
		return files("docs", ".md").map(TestSources::read);
	}

	static String page(String name) {
		return read(ROOT.resolve("docs").resolve(name));
	}

	/**
	 * Of the names of test classes, alone or with a test or a rule of the architecture,
	 * those that do not exist.
	 */
	List<String> missing(Stream<String> names) {
		return names.filter((name) -> !contain(name.split("[.#]"))).toList();
	}

	private boolean contain(String[] name) {
		List<Path> files = this.classes.getOrDefault(name[0], List.of());
		return (name.length == 1) ? !files.isEmpty() : files.stream().anyMatch((file) -> declares(file, name[1]));
	}

	private static boolean declares(Path file, String test) {
		String source = read(file).replaceAll("(?s)/\\*\\*.*?\\*/", "")
			.replaceAll("\"(\\\\.|[^\"\\\\\n])*\"", "text")
			.replaceAll("(= |\\()\\{[^{}]*\\}", "$1values");
		return Pattern.compile("@(Test|ParameterizedTest|RepeatedTest|ArchTest)\\b[^;{}]*\\b" + test + "(\\(| =)")
			.matcher(source)
			.find();
	}

	/** The files below a directory of the project, in which other modules build. */
	static Stream<Path> files(String directory, String extension) {
		List<Path> found = new ArrayList<>();
		FileVisitor<Path> visitor = new SimpleFileVisitor<>() {
			@Override
			public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
				return each.endsWith("target") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
				if (file.toString().endsWith(extension)) {
					found.add(file);
				}
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
				if (Files.exists(file)) {
					throw failure;
				}
				return FileVisitResult.CONTINUE; // A file of a JVM that is gone.
			}
		};
		try {
			Files.walkFileTree(ROOT.resolve(directory), visitor);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return found.stream();
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

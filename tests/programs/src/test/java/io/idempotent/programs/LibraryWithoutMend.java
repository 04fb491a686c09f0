package io.idempotent.programs;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

/**
 * The library without one of its mends, and the programs beside it: loads all classes of
 * both once more, some of them compiled from changed sources.
 */
final class LibraryWithoutMend extends URLClassLoader {

	private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

	private static final Path MODULES = ROOT.resolve("modules");

	private LibraryWithoutMend(URL... places) {
		super(places, LibraryWithoutMend.class.getClassLoader());
	}

	/**
	 * Takes a mend out.
	 * @param mend the mend
	 * @param directory where the changed sources and their classes go
	 * @return the classes
	 * @throws IOException if sources cannot be read or written
	 */
	static LibraryWithoutMend load(Mend mend, Path directory) throws IOException {
		compile(sources(mend), directory);
		return new LibraryWithoutMend(places(directory));
	}

	/** The sources that are other ones without a mend. Throws if the mend has moved. */
	static Map<String, String> sources(Mend mend) throws IOException {
		Map<String, String> changed = new LinkedHashMap<>();
		for (Mend.Edit edit : mend.edits()) {
			String name = edit.type() + ".java";
			String source = changed.get(name);
			changed.put(name, edit.undo((source != null) ? source : Files.readString(sourceOf(name))));
		}
		return changed;
	}

	private static Path sourceOf(String name) throws IOException {
		try (Stream<Path> modules = Files.list(MODULES)) {
			return modules
				.map((module) -> module.resolve(Path.of("src", "main", "java", "io", "idempotent")).resolve(name))
				.filter(Files::exists)
				.findFirst()
				.orElseThrow(() -> new IllegalStateException("No module has " + name));
		}
	}

	/** The changed classes, those of the modules, and what of the tests uses them. */
	private static URL[] places(Path changed) throws IOException {
		List<URL> places = new ArrayList<>(List.of(changed.toUri().toURL()));
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
			Path place = Path.of(entry).toAbsolutePath().normalize();
			if (place.startsWith(MODULES) || place.startsWith(ROOT.resolve(Path.of("tests", "support")))
					|| place.startsWith(ROOT.resolve(Path.of("tests", "programs")))) {
				places.add(place.toUri().toURL());
			}
		}
		return places.toArray(URL[]::new);
	}

	private static void compile(Map<String, String> sources, Path directory) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-parameters", "-d",
				directory.toString(), "-cp", System.getProperty("java.class.path")));
		for (Map.Entry<String, String> source : sources.entrySet()) {
			Path file = directory.resolve(source.getKey());
			Files.createDirectories(file.getParent());
			arguments.add(Files.writeString(file, source.getValue()).toString());
		}
		if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)) != 0) {
			throw new IllegalStateException("Without its mend the library does not compile");
		}
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (name.startsWith("io.idempotent.")) {
			synchronized (getClassLoadingLock(name)) {
				Class<?> known = findLoadedClass(name);
				try {
					return (known != null) ? known : findClass(name);
				}
				catch (ClassNotFoundException ex) {
					// It belongs to another module.
				}
			}
		}
		return super.loadClass(name, resolve);
	}

}

package io.idempotent.versions;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;

/**
 * The classes of a class path, by their internal names, with their members.
 */
final class ClassPath {

	private static final String SUFFIX = ".class";

	private final Map<String, byte[]> published = new TreeMap<>();

	private final Map<String, byte[]> libraries = new HashMap<>();

	private final Map<String, Optional<Members>> members = new HashMap<>();

	private final Set<String> packages;

	ClassPath(String classPath) throws IOException {
		for (String element : classPath.split(File.pathSeparator)) {
			Path path = Path.of(element);
			Map<String, byte[]> classes = element.contains("/modules/") || element.contains("/extensions/")
					? this.published : this.libraries;
			if (Files.isDirectory(path)) {
				readDirectory(path, classes);
			}
			else if (element.endsWith(".jar")) {
				readJar(path, classes);
			}
		}
		this.packages = Stream.of(this.published, this.libraries)
			.flatMap((classes) -> classes.keySet().stream())
			.map(ClassPath::root)
			.collect(Collectors.toSet());
	}

	private static void readDirectory(Path directory, Map<String, byte[]> classes) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.filter((each) -> each.toString().endsWith(SUFFIX)).toList()) {
				String name = directory.relativize(file).toString();
				classes.putIfAbsent(name.substring(0, name.length() - SUFFIX.length()), Files.readAllBytes(file));
			}
		}
	}

	private static void readJar(Path jar, Map<String, byte[]> classes) throws IOException {
		try (JarFile file = new JarFile(jar.toFile())) {
			for (var entry : Collections.list(file.entries())) {
				String name = entry.getName();
				if (name.endsWith(SUFFIX) && !name.startsWith("META-INF/")) {
					classes.putIfAbsent(name.substring(0, name.length() - SUFFIX.length()),
							file.getInputStream(entry).readAllBytes());
				}
			}
		}
	}

	/** The first parts of a name, which tell one library from another. */
	private static String root(String name) {
		String[] parts = name.split("/", 4);
		return (parts.length < 4) ? name : String.join("/", parts[0], parts[1], parts[2]);
	}

	Collection<byte[]> published() {
		return this.published.values();
	}

	/** Whether the library of a class is there, but not the class. */
	boolean lacks(String name) {
		return find(name).isEmpty() && this.packages.contains(root(name));
	}

	/** Whether a class is there, but neither the member nor one that it inherits. */
	boolean lacks(String owner, String member) {
		return find(owner).isPresent() && !has(owner, member);
	}

	private boolean has(String type, String member) {
		Optional<Members> found = find(type);
		return found.isEmpty() || found.get().names().contains(member)
				|| found.get().parents().stream().anyMatch((parent) -> has(parent, member));
	}

	/** The abstract methods that a class inherits and does not implement. */
	Set<String> unimplemented(String type) {
		Set<String> open = new HashSet<>();
		Set<String> implemented = new HashSet<>();
		collect(type, open, implemented, new HashSet<>());
		open.removeAll(implemented);
		return open;
	}

	private void collect(String type, Set<String> open, Set<String> implemented, Set<String> seen) {
		if (seen.add(type)) {
			find(type).ifPresent((found) -> {
				open.addAll(found.unimplemented());
				found.names()
					.stream()
					.filter((name) -> !found.unimplemented().contains(name))
					.forEach(implemented::add);
				found.parents().forEach((parent) -> collect(parent, open, implemented, seen));
			});
		}
	}

	boolean isInterface(String type) {
		return find(type).filter(Members::isInterface).isPresent();
	}

	Optional<Members> find(String type) {
		Optional<Members> known = this.members.get(type);
		if (known == null) {
			byte[] bytes = this.published.getOrDefault(type, this.libraries.get(type));
			known = Optional.ofNullable((bytes != null) ? bytes : platformClass(type)).map(Members::of);
			this.members.put(type, known);
		}
		return known;
	}

	private static byte[] platformClass(String name) {
		try (InputStream file = ClassLoader.getPlatformClassLoader().getResourceAsStream(name + SUFFIX)) {
			return (file != null) ? file.readAllBytes() : null;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * What a class declares.
	 *
	 * @param names its fields and methods, each with its descriptor
	 * @param unimplemented those that are abstract
	 * @param parents its superclass and interfaces
	 */
	record Members(boolean isInterface, boolean isAbstract, Set<String> names, Set<String> unimplemented,
			Set<String> parents) {

		static Members of(byte[] bytes) {
			ClassReader reader = new ClassReader(bytes);
			Set<String> parents = new HashSet<>(Set.of(reader.getInterfaces()));
			// The methods of Object are those of each interface, too.
			parents.add((reader.getSuperName() != null) ? reader.getSuperName() : "java/lang/Object");
			boolean isInterface = (reader.getAccess() & Opcodes.ACC_INTERFACE) != 0;
			boolean isAbstract = (reader.getAccess() & Opcodes.ACC_ABSTRACT) != 0;
			if (reader.getClassName().equals("java/lang/Object")) {
				parents.clear();
			}
			Members members = new Members(isInterface, isAbstract, new HashSet<>(), new HashSet<>(), parents);
			reader.accept(new ClassVisitor(Opcodes.ASM9) {

				@Override
				public FieldVisitor visitField(int access, String name, String descriptor, String signature,
						Object value) {
					members.names.add(name + descriptor);
					return null;
				}

				@Override
				public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
						String[] exceptions) {
					members.names.add(name + descriptor);
					if ((access & Opcodes.ACC_ABSTRACT) != 0) {
						members.unimplemented.add(name + descriptor);
					}
					return null;
				}

			}, ClassReader.SKIP_CODE);
			return members;
		}

	}

}

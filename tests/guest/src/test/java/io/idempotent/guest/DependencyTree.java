package io.idempotent.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What each artifact depends on, as Maven resolved it for this module.
 */
final class DependencyTree {

	/** A line of {@code dependency:tree}, indented by three characters a level. */
	private static final Pattern LINE = Pattern.compile("([ |+\\\\-]*)\\(?[\\w.-]+:([\\w.-]+):.*");

	private static final int INDENTATION = 3;

	private final Map<String, Set<String>> dependencies = new HashMap<>();

	private DependencyTree() {
	}

	static DependencyTree read(Path file) throws IOException {
		DependencyTree tree = new DependencyTree();
		Deque<String> path = new ArrayDeque<>();
		for (String line : Files.readAllLines(file)) {
			Matcher matcher = LINE.matcher(line);
			if (!matcher.matches()) {
				throw new IOException("No line of a dependency tree: " + line);
			}
			int depth = matcher.group(1).length() / INDENTATION;
			while (path.size() > depth) {
				path.pop();
			}
			if (!path.isEmpty()) {
				tree.dependencies.computeIfAbsent(path.peek(), (artifact) -> new LinkedHashSet<>())
					.add(matcher.group(2));
			}
			path.push(matcher.group(2));
		}
		return tree;
	}

	/**
	 * The artifacts, and all that they depend on.
	 */
	Set<String> closure(Collection<String> artifacts) {
		Set<String> found = new LinkedHashSet<>();
		Deque<String> open = new ArrayDeque<>(artifacts);
		while (!open.isEmpty()) {
			String artifact = open.pop();
			if (found.add(artifact)) {
				open.addAll(this.dependencies.getOrDefault(artifact, Set.of()));
			}
		}
		return found;
	}

	/**
	 * The entries of a class path that belong to artifacts.
	 */
	static List<Path> select(List<Path> classPath, Set<String> artifacts) {
		return classPath.stream().filter((entry) -> artifacts.contains(artifact(entry))).toList();
	}

	private static String artifact(Path entry) {
		String module = moduleOf(entry);
		return (module != null) ? module : entry.getFileName().toString().replaceFirst("-\\d.*\\.jar$", "");
	}

	/** Modules of this build are directories, or JARs in one. */
	private static String moduleOf(Path entry) {
		Path target = entry.getParent();
		return (target != null && target.endsWith("target")) ? target.getParent().getFileName().toString() : null;
	}

}

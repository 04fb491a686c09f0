package io.idempotent.guest;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What applications have and how they answer. Those with the same class path are started
 * in one JVM, one after the other. The first JVM leaves an archive of its classes, which
 * are the first on each class path.
 */
final class Starts implements AutoCloseable {

	/** Names of databases and clusters, ports, times. */
	private static final String MADE_UP = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}|\\d+";

	private static final Path TREE = Path.of("target", "dependencies.txt");

	/** What depends on the moment. */
	private static final Pattern NOISE = Pattern.compile("thread HikariPool.*|log INFO com\\.zaxxer\\.hikari.*"
			+ "|log INFO org\\.mongodb\\.driver.*|log WARN org\\.apache\\.catalina\\.util\\.SessionIdGeneratorBase.*");

	private final Path directory;

	private final Path classes;

	private final Path archive;

	private final DependencyTree tree;

	private final ExecutorService threads = Executors.newFixedThreadPool(2);

	private final Map<List<String>, Future<Map<Start, Set<String>>>> lines = new HashMap<>();

	/**
	 * Starts applications, and does not wait for them.
	 * @param directory where files of the JVMs go
	 * @param all what is started; the first one has nothing that another one has not
	 */
	Starts(Path directory, List<Start> all) throws Exception {
		this.directory = directory;
		this.classes = directory.resolve("classes.jar");
		this.archive = directory.resolve("classes.jsa");
		this.tree = DependencyTree.read(TREE);
		ToolProvider.findFirst("jar")
			.orElseThrow()
			.run(System.out, System.err, "--create", "--file", this.classes.toString(), "-C", "target/test-classes",
					".");
		Map<List<String>, List<Start>> groups = all.stream()
			.collect(Collectors.groupingBy(Start::allArtifacts, LinkedHashMap::new, Collectors.toList()));
		for (Map.Entry<List<String>, List<Start>> group : groups.entrySet()) {
			boolean first = this.lines.isEmpty();
			this.lines.put(group.getKey(), this.threads.submit(() -> run(group.getKey(), group.getValue(),
					(first ? "-XX:ArchiveClassesAtExit=" : "-XX:SharedArchiveFile=") + this.archive)));
			if (first) {
				this.lines.get(group.getKey()).get();
			}
		}
	}

	Set<String> linesOf(Start start) throws Exception {
		return this.lines.get(start.allArtifacts()).get().get(start);
	}

	private Map<Start, Set<String>> run(List<String> artifacts, List<Start> starts, String archiving) throws Exception {
		Path files = Files.createTempDirectory(this.directory, "jvm-");
		Path log = files.resolve("log");
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:+UseSerialGC",
				"-XX:TieredStopAtLevel=1", "-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote",
				archiving, "-cp", classPath(artifacts), Report.class.getName()));
		for (int i = 0; i < starts.size(); i++) {
			command.add(starts.get(i).command(files.resolve("report-" + i)));
		}
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		try {
			assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
			assertThat(process.exitValue()).as(() -> read(log)).isZero();
		}
		finally {
			process.destroyForcibly();
		}
		String[] logged = Files.readString(log).split(Report.END);
		Map<Start, Set<String>> lines = new HashMap<>();
		for (int i = 0; i < starts.size(); i++) {
			lines.put(starts.get(i), lines(files.resolve("report-" + i), logged[i]));
		}
		return lines;
	}

	private static Set<String> lines(Path report, String logged) throws IOException {
		Set<String> lines = new LinkedHashSet<>(Files.readAllLines(report));
		logged.lines()
			.filter((line) -> line.matches("(INFO|WARN|ERROR) .*"))
			.map((line) -> "log " + line.replaceAll(MADE_UP, "N"))
			.forEach(lines::add);
		lines.removeIf((line) -> NOISE.matcher(line).matches());
		return lines;
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

	/** Those of this JVM that belong to the application, and its own classes. */
	private String classPath(List<String> artifacts) {
		List<Path> all = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.toList();
		Set<Path> used = new LinkedHashSet<>(List.of(this.classes));
		used.addAll(DependencyTree.select(all, this.tree.closure(artifacts.subList(0, 1))));
		used.addAll(DependencyTree.select(all, this.tree.closure(artifacts)));
		return used.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

}

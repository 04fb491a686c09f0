package io.idempotent.guest;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that gets a starter, and uses nothing of it yet, has what it had, and
 * answers as it did. There is no server of any kind.
 */
@Tag("slow")
class GuestTests {

	/** Names of databases and clusters, ports, times. */
	private static final String MADE_UP = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}|\\d+";

	private static final Path TREE = Path.of("target", "dependencies.txt");

	/** What depends on the moment. */
	private static final Pattern NOISE = Pattern.compile("thread HikariPool.*|log INFO com\\.zaxxer\\.hikari.*"
			+ "|log INFO org\\.mongodb\\.driver.*|log WARN org\\.apache\\.catalina\\.util\\.SessionIdGeneratorBase.*");

	private static final Pattern STARTED = Pattern.compile("INFO \\S+ Started \\S+ in ([\\d.]+) seconds .*");

	/** For those who ask what a starter costs. Nothing is promised here. */
	private static final List<String> TIMES = new ArrayList<>();

	private static DependencyTree tree;

	@TempDir
	private Path directory;

	private final ExecutorService threads = Executors.newFixedThreadPool(Integer.getInteger("guest.threads", 2));

	private final AtomicInteger runs = new AtomicInteger();

	@BeforeAll
	static void readTree() throws IOException {
		tree = DependencyTree.read(TREE);
	}

	@AfterEach
	void stop() {
		this.threads.shutdown();
	}

	@AfterAll
	static void writeTimes() throws IOException {
		Files.write(Path.of("target", "start-up.txt"), TIMES);
	}

	@ParameterizedTest
	@MethodSource("io.idempotent.guest.Kind#all")
	void startersChangeOnlyWhatIsAllowed(Kind kind) throws Exception {
		Future<Run> without = start(kind, List.of(), List.of());
		Map<Starter, Future<Run>> with = new LinkedHashMap<>();
		for (Starter starter : Starter.of(kind)) {
			with.put(starter, start(kind, List.of(starter.artifact()), starter.arguments()));
		}
		long time = without.get().millis();
		Set<String> before = without.get().lines();
		for (Map.Entry<Starter, Future<Run>> starter : with.entrySet()) {
			long longer = starter.getValue().get().millis();
			TIMES.add(
					"%-34s %-35s %5d ms %5d ms %+5d ms".formatted(kind, starter.getKey(), time, longer, longer - time));
			Set<String> after = starter.getValue().get().lines();
			assertThat(minus(before, after).stream().filter((line) -> !Change.mayGo(line)))
				.as("went with " + starter.getKey())
				.isEmpty();
			assertThat(minus(after, before).stream().filter((line) -> !Change.mayCome(line, starter.getKey())))
				.as("came with " + starter.getKey())
				.isEmpty();
			assertThat(after).filteredOn((line) -> line.startsWith("response GET /token application/json: 200"))
				.as("what the page \"Forms\" documents")
				.allMatch((line) -> line.contains("{random\",\"header\":\"Idempotent-Token\",\"expiresIn\":600}"))
				.hasSize(kind.hasUsers() ? 0 : 1);
		}
	}

	@Test
	void aChangeIsNoticed() throws Exception {
		Kind kind = Kind.all().get(0);
		Set<String> before = start(kind, List.of(), List.of()).get().lines();
		Set<String> after = start(kind, List.of(),
				List.of("--spring.jackson.property-naming-strategy=UPPER_CAMEL_CASE"))
			.get()
			.lines();
		assertThat(minus(before, after)).isNotEmpty().noneMatch(Change::mayGo);
		assertThat(minus(after, before)).isNotEmpty().noneMatch((line) -> Change.mayCome(line, Starter.DEFAULT));
	}

	private Future<Run> start(Kind kind, List<String> artifacts, List<String> arguments) {
		String name = "run-" + this.runs.incrementAndGet();
		return this.threads.submit(() -> run(name, kind, artifacts, arguments));
	}

	private static Set<String> minus(Set<String> some, Set<String> others) {
		return some.stream()
			.filter((line) -> !others.contains(line))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private Run run(String name, Kind kind, List<String> starters, List<String> arguments) throws Exception {
		List<String> artifacts = new ArrayList<>(kind.allArtifacts());
		artifacts.addAll(starters);
		Path report = this.directory.resolve(name + ".report");
		Path log = this.directory.resolve(name + ".log");
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:+UseSerialGC",
				"-XX:TieredStopAtLevel=1", "-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote", "-cp",
				classPath(artifacts), Report.class.getName(), report.toString(), kind.application().getName(),
				"--server.port=0", "--logging.pattern.console=%level %logger %m%n"));
		command.addAll(kind.arguments());
		command.addAll(arguments);
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		try {
			assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
			assertThat(process.exitValue()).as(() -> read(log)).isZero();
		}
		finally {
			process.destroyForcibly();
		}
		Set<String> lines = new LinkedHashSet<>(Files.readAllLines(report));
		List<String> logged = Files.readAllLines(log);
		logged.stream()
			.filter((line) -> line.matches("(INFO|WARN|ERROR) .*"))
			.map((line) -> "log " + line.replaceAll(MADE_UP, "N"))
			.forEach(lines::add);
		lines.removeIf((line) -> NOISE.matcher(line).matches());
		double seconds = logged.stream()
			.map(STARTED::matcher)
			.filter(Matcher::matches)
			.mapToDouble((started) -> Double.parseDouble(started.group(1)))
			.sum();
		return new Run(lines, Math.round(seconds * 1000));
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
	private static String classPath(List<String> artifacts) {
		List<Path> all = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.toList();
		List<Path> used = new ArrayList<>();
		used.add(Path.of("target", "test-classes").toAbsolutePath());
		used.addAll(DependencyTree.select(all, tree.closure(artifacts)));
		return used.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
	}

	/**
	 * An application that was started once.
	 *
	 * @param lines what it has, and what it answers
	 * @param millis how long its start took
	 */
	private record Run(Set<String> lines, long millis) {
	}

}
